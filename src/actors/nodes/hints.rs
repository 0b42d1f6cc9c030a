//! Listens for what other processes say has become due (`store::nodes`).

use std::sync::Arc;
use std::time::Duration;

use clock::Clock;
use store::{DueTable, Hints, Store};

/// How soon it is listened again after the connection was lost.
const LISTEN_AGAIN_AFTER: Duration = Duration::from_secs(10);
/// How soon it is tried again where hints did not come through.
const TRY_AGAIN_AFTER: Duration = Duration::from_secs(5 * 60);

/// Calls `on_hint` for each table in which another process says that something has become due. Where hints do not come
/// through, as behind a pooler, that is said once, and looking has to do.
pub fn listen(store: &Arc<Store>, clock: &Clock, on_hint: impl Fn(DueTable) + 'static) {
    let (store, clock) = (store.clone(), clock.clone());
    if !store.is_shared() {
        return;
    }
    actix::spawn(async move {
        let mut is_said = false;
        loop {
            let again_after = match store.listen().await {
                Ok(Some(hints)) => {
                    pass_on(hints, &on_hint).await;
                    LISTEN_AGAIN_AFTER
                }
                Ok(None) => {
                    if !std::mem::replace(&mut is_said, true) {
                        tracing::warn!(
                            "the database passes no hints on (is it behind a pooler?): work is found by looking"
                        );
                    }
                    TRY_AGAIN_AFTER
                }
                Err(error) => {
                    tracing::debug!(%error, "no hints can be heard");
                    LISTEN_AGAIN_AFTER
                }
            };
            clock.sleep(again_after).await;
        }
    });
}

async fn pass_on(mut hints: Hints, on_hint: &impl Fn(DueTable)) {
    loop {
        match hints.next().await {
            Ok(tables) => tables.into_iter().for_each(on_hint),
            Err(error) => return tracing::debug!(%error, "hints are not heard any more"),
        }
    }
}
