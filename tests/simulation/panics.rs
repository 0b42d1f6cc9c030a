//! Panics that nobody planned. An actor's panic is caught by its runtime and answered by a restart, so that a fault of the
//! service, or of a check, would pass unseen.

use std::cell::RefCell;
use std::panic;
use std::sync::Once;

thread_local! {
    static UNPLANNED: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Listens for panics from now on. Planned ones unwind without being reported.
pub fn listen() {
    static LISTENING: Once = Once::new();
    LISTENING.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |panicked| {
            UNPLANNED.with(|unplanned| {
                unplanned.borrow_mut().get_or_insert_with(|| panicked.to_string());
            });
            report(panicked);
        }));
    });
}

/// The first panic of this thread since the last question.
pub fn unplanned() -> Option<String> {
    UNPLANNED.with(|unplanned| unplanned.borrow_mut().take())
}
