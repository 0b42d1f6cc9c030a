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

/// Counters that are looked at together.
const CHUNK: usize = 256;
const ZEROS: [u8; CHUNK] = [0; CHUNK];

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
    // SAFETY: the linker lays out so many bytes there, which live as long as the program; nothing of this crate runs on
    // another thread while a target is asked.
    let counters = unsafe { std::slice::from_raw_parts_mut(COUNTERS.load(SeqCst), most.len()) };
    let mut is_new = false;
    for (counters, most) in counters.chunks_mut(CHUNK).zip(most.chunks_mut(CHUNK)) {
        // Nearly all of them are zero.
        if *counters == ZEROS[..counters.len()] {
            continue;
        }
        for (counter, most) in counters.iter_mut().zip(most) {
            let bits = u8::BITS - std::mem::take(counter).leading_zeros();
            is_new |= bits > *most;
            *most = bits.max(*most);
        }
    }
    is_new
}
