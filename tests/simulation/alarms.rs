//! What the service itself calls broken. It goes on after it, and asks again for as long as the clock runs; a run ends
//! there instead.

use std::cell::RefCell;
use std::fmt::{Debug, Write};
use std::rc::Rc;
use std::sync::Once;

use tokio::sync::Notify;
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::{Event, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

/// Who never has a reason for an error, whatever goes wrong around it: what it writes is refused, or does not add up.
const WRITERS: [&str; 2] = ["actors::ledger", "actors::housekeeping"];

thread_local! {
    static ALARM: RefCell<Option<String>> = const { RefCell::new(None) };
    static RAISED: Rc<Notify> = Rc::default();
}

/// Listens for alarms from now on.
pub fn listen() {
    static LISTENING: Once = Once::new();
    LISTENING.call_once(|| tracing_subscriber::registry().with(Listener).init());
}

/// Ends when an alarm was raised on this thread.
pub async fn raised() {
    let raised = RAISED.with(Rc::clone);
    while ALARM.with_borrow(Option::is_none) {
        raised.notified().await;
    }
}

/// The first alarm of this thread since the last question.
pub fn first() -> Option<String> {
    ALARM.take()
}

struct Listener;

impl<S: Subscriber> Layer<S> for Listener {
    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(LevelFilter::ERROR)
    }

    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let metadata = event.metadata();
        if *metadata.level() == LevelFilter::ERROR && WRITERS.iter().any(|writer| metadata.target().starts_with(writer))
        {
            let mut words = Words(String::new());
            event.record(&mut words);
            ALARM.with_borrow_mut(|alarm| {
                alarm.get_or_insert(words.0);
            });
            RAISED.with(|raised| raised.notify_one());
        }
    }
}

struct Words(String);

impl Visit for Words {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        // Writing into a text cannot fail.
        write!(self.0, "{field}: {value:?} ").ok();
    }
}
