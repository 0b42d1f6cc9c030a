//! Whether the database takes writes, found out by writing.

use std::time::{Duration, Instant};

use tokio::sync::Mutex;

use crate::error::unavailable;
use crate::{Result, Store};

/// How long an answer is good for: however many ask, the disk is written to once in this time.
const GOOD_FOR: Duration = Duration::from_secs(1);
/// The row of the table of settings that is written.
const NAME: &str = "write_probe";
/// How much is written after a write has failed. What is left of a full disk may take a small row and no radar.
const LARGE_BYTES: usize = 256 * 1024;

/// The last answer.
#[derive(Default)]
pub(crate) struct WriteProbe(Mutex<Last>);

#[derive(Default)]
struct Last {
    answer: Option<Answer>,
    /// How many writes had failed when a probe succeeded.
    failures: u64,
    writes: u64,
}

struct Answer {
    at: Instant,
    /// Why nothing can be written.
    error: Option<String>,
}

impl Last {
    /// Whether the result still holds at `now`, given the number of failed writes.
    fn is_good(&self, now: Instant, failures: u64) -> bool {
        let is_good = |answer: &Answer| {
            now.duration_since(answer.at) < GOOD_FOR && (answer.error.is_some() || self.failures == failures)
        };
        self.answer.as_ref().is_some_and(is_good)
    }
}

impl Store {
    /// Proves by one write that writes are kept. Callers that ask meanwhile or soon after share the result.
    pub async fn prove_writable(&self) -> Result<()> {
        let mut last = self.probe.0.lock().await;
        let failures = self.write.failures();
        if !last.is_good(self.deadline.real_now(), failures) {
            last.writes += 1;
            let bytes = if last.failures == failures { 0 } else { LARGE_BYTES };
            let written = self.set_setting(NAME, &filling(last.writes, bytes)).await;
            if written.is_ok() {
                last.failures = failures;
            }
            let error = written.err().map(|error| error.to_string());
            last.answer = Some(Answer { at: self.deadline.real_now(), error });
        }
        match last.answer.as_ref().and_then(|answer| answer.error.clone()) {
            None => Ok(()),
            Some(error) => Err(unavailable(error).into()),
        }
    }
}

/// A text that differs from the one before and that no database can make smaller.
fn filling(number: u64, bytes: usize) -> String {
    let mut text = number.to_string();
    let mut state = number | 1;
    while text.len() < bytes {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        text.push_str(&format!("{state:016x}"));
    }
    text
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "these tests run in real time")]
mod tests {
    use super::{Answer, GOOD_FOR, LARGE_BYTES, Last, filling};
    use std::time::Instant;

    #[test]
    fn decision_4_13_an_answer_is_shared_for_a_while_unless_a_write_has_failed_since() {
        let at = Instant::now();
        for (error, later, failures, is_good) in [
            (None, GOOD_FOR / 2, 3, true),
            (None, GOOD_FOR, 3, false),
            (None, GOOD_FOR / 2, 4, false),
            (Some("full"), GOOD_FOR / 2, 4, true),
            (Some("full"), GOOD_FOR, 3, false),
        ] {
            let last = Last { answer: Some(Answer { at, error: error.map(str::to_owned) }), failures: 3, writes: 7 };
            assert_eq!(last.is_good(at + later, failures), is_good, "{error:?} {later:?} {failures}");
        }
        assert!(!Last::default().is_good(at, 0), "nobody has asked yet");
    }

    #[test]
    fn each_write_differs_and_is_as_large_as_asked_for() {
        assert_ne!(filling(1, 0), filling(2, 0));
        let large = filling(2, LARGE_BYTES);
        assert!(large.len() >= LARGE_BYTES && large.len() < LARGE_BYTES + 32);
        assert_ne!(large, filling(3, LARGE_BYTES));
    }
}
