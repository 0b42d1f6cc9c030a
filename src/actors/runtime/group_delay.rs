//! The short wait of an actor that writes in groups; when it is worth one: `domain::scheduling::group_delay`.

use std::time::Duration;

use actix::{Actor, AsyncContext, Context, SpawnHandle};

/// About what a commit takes.
const DELAY: Duration = Duration::from_millis(3);

/// Whether a group is waiting for more.
#[derive(Default)]
pub(crate) enum GroupDelay {
    /// It is not.
    #[default]
    Idle,
    /// It is, until this timer ends.
    Waiting(SpawnHandle),
    /// It has waited long enough.
    Over,
}

impl GroupDelay {
    /// Whether the group is kept back; `is_wanted` says that more is expected. When the time is up, `go_on` is called, which
    /// is to set this to [`GroupDelay::Over`] and to ask again.
    pub(crate) fn holds<A: Actor<Context = Context<A>>>(
        &mut self,
        is_wanted: bool,
        context: &mut Context<A>,
        go_on: fn(&mut A, &mut Context<A>),
    ) -> bool {
        match std::mem::take(self) {
            Self::Waiting(timer) if is_wanted => *self = Self::Waiting(timer),
            Self::Waiting(timer) => drop(context.cancel_future(timer)),
            Self::Idle if is_wanted => *self = Self::Waiting(context.run_later(DELAY, go_on)),
            Self::Idle | Self::Over => {}
        }
        matches!(self, Self::Waiting(_))
    }
}
