//! The live timeline of the demo: what happened, when, in lines that people can read.
//!
//! Duty: lay out one line per event, at most 100 columns, coloured only on a terminal.

use std::cell::Cell;
use std::io::IsTerminal;

use chrono::{DateTime, TimeDelta, Utc};

use crate::cli::failure::Result;
use crate::cli::output;
use clock::Clock;

/// The widest that a line may be, in characters.
const WIDTH: usize = 100;
/// Columns of the elapsed time and the event's name.
const TIME_WIDTH: usize = 9;
const NAME_WIDTH: usize = 9;

/// How long nothing may be shown before something is said of what goes on.
const QUIET_MAX: TimeDelta = TimeDelta::seconds(2);

/// What can be seen from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Something was set up.
    Ready,
    /// A company put a job on its site.
    Published,
    /// The service fetched pages of sites.
    Fetched,
    /// An update can be pulled.
    Found,
    /// The ledger has an entry.
    Charged,
    /// An update was pushed, and its signature is right.
    Delivered,
    /// The balance has changed.
    Balance,
    /// Something is not as it should be.
    Problem,
}

impl Event {
    /// Its name, and the number of its ANSI colour.
    const fn shown(self) -> (&'static str, u8) {
        match self {
            Self::Ready => ("ready", 90),
            Self::Published => ("published", 36),
            Self::Fetched => ("fetched", 90),
            Self::Found => ("found", 32),
            Self::Charged => ("charged", 33),
            Self::Delivered => ("delivered", 35),
            Self::Balance => ("balance", 34),
            Self::Problem => ("problem", 31),
        }
    }
}

/// The timeline on standard output.
pub struct Timeline {
    clock: Clock,
    began_at: DateTime<Utc>,
    shown_at: Cell<DateTime<Utc>>,
}

impl Timeline {
    /// Begins now.
    pub fn new(clock: Clock) -> Self {
        let now = clock.now();
        Self { clock, began_at: now, shown_at: Cell::new(now) }
    }

    /// Prints what happens now.
    pub fn show(&self, event: Event, text: &str) -> Result<()> {
        let is_coloured = std::io::stdout().is_terminal();
        let now = self.clock.now();
        self.shown_at.set(now);
        output::print(&line(now - self.began_at, event, text, is_coloured))
    }

    /// Whether nothing was shown for so long that somebody might think that nothing goes on.
    pub fn is_quiet(&self) -> bool {
        self.clock.now() - self.shown_at.get() >= QUIET_MAX
    }
}

fn line(elapsed: TimeDelta, event: Event, text: &str, is_coloured: bool) -> String {
    let tenths = elapsed.num_milliseconds().max(0) / 100;
    let time = format!("{}.{} s", tenths / 10, tenths % 10);
    let (name, colour) = event.shown();
    let room = WIDTH - TIME_WIDTH - NAME_WIDTH - 4;
    let text = fitted(text, room);
    if is_coloured {
        format!("{time:>TIME_WIDTH$}  \u{1b}[{colour}m{name:NAME_WIDTH$}\u{1b}[0m  {text}")
    } else {
        format!("{time:>TIME_WIDTH$}  {name:NAME_WIDTH$}  {text}")
    }
}

/// One line of at most `room` characters, without anything that a terminal would obey.
fn fitted(text: &str, room: usize) -> String {
    let plain: String = text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect();
    output::cut(&plain, room)
}

#[cfg(test)]
mod tests {
    use super::{Event, WIDTH, line};
    use chrono::TimeDelta;

    #[test]
    fn a_line_tells_when_and_what() {
        let line = line(TimeDelta::milliseconds(12_345), Event::Found, "Senior Engineer", false);
        assert_eq!(line, "   12.3 s  found      Senior Engineer");
    }

    #[test]
    fn a_line_is_never_wider_than_a_terminal_and_obeys_nothing() {
        let line = line(TimeDelta::seconds(9_999), Event::Delivered, &"ä\u{1b}".repeat(80), false);
        assert_eq!(line.chars().count(), WIDTH);
        assert!(line.ends_with('…') && !line.contains('\u{1b}'));
    }

    #[test]
    fn colour_is_only_for_terminals() {
        let line = line(TimeDelta::zero(), Event::Problem, "late", true);
        assert_eq!(line, "    0.0 s  \u{1b}[31mproblem  \u{1b}[0m  late");
    }
}
