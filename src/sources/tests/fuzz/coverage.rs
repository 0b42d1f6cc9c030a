//! Which branches of this crate the tries have taken, where it is built with counters of them (SanitizerCoverage).

#![expect(
    unsafe_code,
    reason = "the counters are memory that the compiler lays out and only their addresses are given"
)]

use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering::SeqCst};

static COUNTERS: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
static COUNT: AtomicUsize = AtomicUsize::new(0);
/// The most that each counter has shown, as the number of its bits.
static MOST: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// Is told where the counters are, before anything runs.
#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_8bit_counters_init(start: *mut u8, stop: *mut u8) {
    COUNTERS.store(start, SeqCst);
    COUNT.store(stop as usize - start as usize, SeqCst);
}

/// Whether a branch was taken since the last call that never was before, or many more times. One target runs at a time.
pub fn is_new() -> bool {
    let mut most = MOST.lock().unwrap();
    most.resize(COUNT.load(SeqCst), 0);
    let mut is_new = false;
    for (index, most) in most.iter_mut().enumerate() {
        // SAFETY: the linker lays out so many bytes there, which live as long as the program and which only threads of
        // this target write.
        let counter = unsafe { COUNTERS.load(SeqCst).add(index) };
        let seen = unsafe { counter.replace(0) };
        let bits = u8::BITS - seen.leading_zeros();
        is_new |= bits > *most;
        *most = bits.max(*most);
    }
    is_new
}
