//! The short wait of an actor that writes in groups; when it is worth one: `domain::scheduling::group_delay`.

use std::time::Duration;

use actix::fut::wrap_future;
use actix::{Actor, ActorFutureExt, AsyncContext, Context};

use clock::Clock;

/// About what a commit takes.
const DELAY: Duration = Duration::from_millis(3);

/// Whether a group is waiting for more.
#[derive(Clone, Copy, Default)]
pub(crate) enum GroupDelay {
    /// It is not.
    #[default]
    Idle,
    /// It is, until a timer ends. Nothing ends the timer earlier: it is what makes sure that nobody waits for longer.
    Waiting,
    /// It has waited long enough.
    Over,
}

impl GroupDelay {
    /// Whether the group is kept back; `is_wanted` says that more is expected. When the time is up, `go_on` is called, which
    /// is to ask again for everything that may have been kept back, each time with this set to [`GroupDelay::Over`].
    pub(crate) fn holds<A: Actor<Context = Context<A>>>(
        &mut self,
        is_wanted: bool,
        clock: &Clock,
        context: &mut Context<A>,
        go_on: fn(&mut A, &mut Context<A>),
    ) -> bool {
        match self {
            Self::Over => *self = Self::Idle,
            Self::Idle if is_wanted => {
                *self = Self::Waiting;
                let timer = wrap_future::<_, A>(clock.real_timer(DELAY));
                context.spawn(timer.map(move |(), actor, context| go_on(actor, context)));
            }
            Self::Idle | Self::Waiting => {}
        }
        is_wanted && matches!(self, Self::Waiting)
    }
}
