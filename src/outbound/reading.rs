//! What the reading of one answer may cost, and whether somebody still waits for it.
//!
//! Duty: the steps that what runs on this thread may still take. A loop over what strangers wrote asks [`goes_on`] or
//! [`take`] and ends where the answer is no; what it has read by then nobody gets to see (`outbound/workers/mod.rs`). Never
//! here: what a step is.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Steps that reading one answer may take: a step is a word, a value or an element that is looked at, and takes less than
/// a tenth of a microsecond to a few. The longest honest answers take a tenth of these.
pub const STEPS_MAX: u64 = 10_000_000;

/// Steps between two looks whether somebody still waits.
const LOOK_EVERY: u64 = 256;

thread_local! {
    /// Without end where nothing is read for anybody, as in a command.
    static STEPS_LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
    static IS_OVER: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// What was read is not whole: it would have taken more steps than it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it takes too many steps to read")]
pub struct Spent;

/// Counts `steps` of something that has an end of its own.
pub fn count(steps: usize) {
    spend(steps);
}

/// Counts `steps` that are about to be taken; `false` where they may not be, and reading is to end.
#[must_use]
pub fn take(steps: usize) -> bool {
    spend(steps)
}

fn spend(steps: usize) -> bool {
    let left = STEPS_LEFT.get();
    // Who reads for nobody keeps all of them.
    if left == u64::MAX {
        return true;
    }
    let rest = left.saturating_sub(steps as u64);
    let is_over = || IS_OVER.with_borrow(|is_over| is_over.as_ref().is_some_and(|is_over| is_over.load(Relaxed)));
    let looks = left / LOOK_EVERY != rest / LOOK_EVERY;
    let rest = if looks && is_over() { 0 } else { rest };
    STEPS_LEFT.set(rest);
    rest > 0
}

/// Counts one step; `false` where reading is to end.
#[must_use]
pub fn goes_on() -> bool {
    take(1)
}

/// What `read` gives within `steps_max`. It is to end as soon as `is_over` is set.
///
/// # Errors
/// [`Spent`]: it would have taken more steps, or was told to end.
pub fn within<T>(steps_max: u64, is_over: &Arc<AtomicBool>, read: impl FnOnce() -> T) -> Result<T, Spent> {
    /// Puts back what was before, also behind a panic.
    struct Before(u64, Option<Arc<AtomicBool>>);
    impl Drop for Before {
        fn drop(&mut self) {
            STEPS_LEFT.set(self.0);
            IS_OVER.set(self.1.take());
        }
    }
    let _before = Before(STEPS_LEFT.replace(steps_max), IS_OVER.replace(Some(is_over.clone())));
    let read = read();
    if STEPS_LEFT.get() > 0 { Ok(read) } else { Err(Spent) }
}

/// How many steps `read` takes; for tests.
#[doc(hidden)]
pub fn steps_of<T>(read: impl FnOnce() -> T) -> u64 {
    let most = u64::MAX - 1;
    let left = within(most, &Arc::default(), || {
        read();
        STEPS_LEFT.get()
    });
    most - left.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

    use super::{Spent, goes_on, steps_of, take, within};

    fn count() -> usize {
        (0..100).take_while(|_| goes_on()).count()
    }

    #[test]
    fn who_reads_for_nobody_reads_to_the_end() {
        assert_eq!(count(), 100);
        assert!(take(usize::MAX) && take(usize::MAX));
        assert_eq!(steps_of(count), 100);
    }

    #[test]
    fn reading_ends_with_its_steps_and_gives_nothing() {
        let is_over = Arc::default();
        assert_eq!(within(101, &is_over, count), Ok(100));
        let mut counted = 0;
        assert_eq!(within(10, &is_over, || counted = count()), Err(Spent));
        assert_eq!((counted, count()), (9, 100), "what comes after has steps of its own");
        assert_eq!(within(10, &is_over, || take(11)), Err(Spent));
    }

    #[test]
    fn reading_ends_when_nobody_waits_any_more() {
        let is_over = Arc::new(AtomicBool::new(false));
        let mut counted = (0, 0);
        let read = within(1_000_000, &is_over, || {
            counted.0 = count();
            is_over.store(true, SeqCst);
            counted.1 = (0..10_000).take_while(|_| goes_on()).count();
        });
        assert_eq!((read, counted.0), (Err(Spent), 100));
        assert!(counted.1 < 256, "{counted:?}");
    }
}
