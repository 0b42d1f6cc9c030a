//! The live timeline of the demo: what happened, when, in lines that people can read.
//!
//! Duty: lay out one line per event, at most 100 columns, coloured only on a terminal.

use std::io::IsTerminal;

use crate::cli::failure::Failure;
use crate::cli::output;
use crate::domain::closed;

/// The widest that a line may be, in characters.
const WIDTH: usize = 100;
/// Columns of the elapsed time and the event's name.
const TIME_WIDTH: usize = 9;
const NAME_WIDTH: usize = 9;

closed! {
    /// What can be seen from outside.
    Event {
        /// Something was set up.
        Ready = "ready",
        /// A company put a job on its site.
        Published = "published",
        /// The service fetched a page of a site.
        Fetched = "fetched",
        /// An update can be pulled.
        Found = "found",
        /// The ledger has an entry.
        Charged = "charged",
        /// An update was pushed, and its signature is right.
        Delivered = "delivered",
        /// The balance has changed.
        Balance = "balance",
        /// Something is not as it should be.
        Problem = "problem",
    }
}

impl Event {
    /// The number of the ANSI colour.
    const fn colour(self) -> u8 {
        match self {
            Self::Ready | Self::Fetched => 90,
            Self::Published => 36,
            Self::Found => 32,
            Self::Charged => 33,
            Self::Delivered => 35,
            Self::Balance => 34,
            Self::Problem => 31,
        }
    }
}

/// Where the timeline is printed.
pub struct Timeline {
    is_coloured: bool,
}

impl Timeline {
    /// On standard output.
    pub fn on_standard_output() -> Self {
        Self { is_coloured: std::io::stdout().is_terminal() }
    }

    /// Prints one event, `elapsed` after the beginning.
    ///
    /// # Errors
    /// [`Failure`] when standard output takes nothing.
    pub fn tell(&self, elapsed: chrono::TimeDelta, event: Event, text: &str) -> Result<(), Failure> {
        output::print(&self.line(elapsed, event, text))
    }

    fn line(&self, elapsed: chrono::TimeDelta, event: Event, text: &str) -> String {
        let tenths = elapsed.num_milliseconds().max(0) / 100;
        let time = format!("{}.{} s", tenths / 10, tenths % 10);
        let name = event.as_str();
        let room = WIDTH - TIME_WIDTH - NAME_WIDTH - 4;
        let text = fitted(text, room);
        if self.is_coloured {
            let colour = event.colour();
            format!("{time:>TIME_WIDTH$}  \u{1b}[{colour}m{name:NAME_WIDTH$}\u{1b}[0m  {text}")
        } else {
            format!("{time:>TIME_WIDTH$}  {name:NAME_WIDTH$}  {text}")
        }
    }
}

/// One line of at most `room` characters, without anything that a terminal would obey.
fn fitted(text: &str, room: usize) -> String {
    let plain: String = text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect();
    if plain.chars().count() <= room {
        return plain;
    }
    plain.chars().take(room - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::{Event, Timeline, WIDTH};
    use chrono::TimeDelta;

    #[test]
    fn a_line_tells_when_and_what() {
        let timeline = Timeline { is_coloured: false };
        let line = timeline.line(TimeDelta::milliseconds(12_345), Event::Found, "Senior Engineer");
        assert_eq!(line, "   12.3 s  found      Senior Engineer");
    }

    #[test]
    fn a_line_is_never_wider_than_a_terminal_and_obeys_nothing() {
        let timeline = Timeline { is_coloured: false };
        let line = timeline.line(TimeDelta::seconds(9_999), Event::Delivered, &"ä\u{1b}".repeat(80));
        assert_eq!(line.chars().count(), WIDTH);
        assert!(line.ends_with('…') && !line.contains('\u{1b}'));
    }

    #[test]
    fn colour_is_only_for_terminals() {
        let line = Timeline { is_coloured: true }.line(TimeDelta::zero(), Event::Problem, "late");
        assert_eq!(line, "    0.0 s  \u{1b}[31mproblem  \u{1b}[0m  late");
    }
}
