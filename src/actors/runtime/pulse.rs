//! Whether the actors' thread runs, asked from other threads.

use std::time::Duration;

use tokio::sync::{mpsc, oneshot};

use clock::Clock;

/// How long the thread may take to answer, in real time: it never works for as long on one thing.
const ANSWER_MAX: Duration = Duration::from_secs(1);
/// Questions that wait at once.
const ASKED_MAX: usize = 64;

/// Asks the actors' thread for a sign of life. Cheap to clone.
#[derive(Clone)]
pub struct Pulse {
    asks: mpsc::Sender<oneshot::Sender<()>>,
    clock: Clock,
}

impl Pulse {
    /// The pulse of the thread that calls this.
    pub fn of_this_thread(clock: &Clock) -> Self {
        let (asks, mut asked) = mpsc::channel::<oneshot::Sender<()>>(ASKED_MAX);
        actix_rt::spawn(async move {
            while let Some(answer) = asked.recv().await {
                // The caller may have given up.
                answer.send(()).ok();
            }
        });
        Self { asks, clock: clock.clone() }
    }

    /// Whether the thread answers in time.
    pub async fn is_felt(&self) -> bool {
        self.is_felt_within(ANSWER_MAX).await
    }

    async fn is_felt_within(&self, bound: Duration) -> bool {
        let asking = async {
            let (answer, answered) = oneshot::channel();
            self.asks.send(answer).await.is_ok() && answered.await.is_ok()
        };
        self.clock.real_timeout(bound, asking).await.unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    use super::Pulse;
    use clock::Clock;

    #[actix_rt::test]
    async fn a_thread_that_stands_still_or_is_gone_has_no_pulse() {
        let (tell_pulse, pulse) = mpsc::channel();
        let (hold, held) = mpsc::channel::<()>();
        let (tell_free, free) = tokio::sync::oneshot::channel::<()>();
        let actors = thread::spawn(move || {
            actix_rt::System::new().block_on(async move {
                tell_pulse.send(Pulse::of_this_thread(&Clock::system())).unwrap();
                assert!(held.recv().is_err(), "the thread stands still until this");
                free.await.unwrap();
            });
        });
        let pulse = pulse.recv().unwrap();
        assert!(!pulse.is_felt_within(Duration::from_millis(50)).await);
        drop(hold);
        assert!(pulse.is_felt_within(Duration::from_secs(60)).await);
        tell_free.send(()).unwrap();
        actors.join().unwrap();
        assert!(!pulse.is_felt_within(Duration::from_secs(60)).await);
    }
}
