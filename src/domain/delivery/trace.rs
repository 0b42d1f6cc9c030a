//! W3C Trace Context: which trace a piece of work belongs to, and how the header `traceparent` says so.

use std::fmt;
use std::str::FromStr;

use crate::ids::UpdateId;

/// Bit of the flags that says that the sender of the header may have recorded its part of the trace.
const SAMPLED: u8 = 1;

/// A trace. As text it is its identifier and its flags, as they stand in the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Never zero.
    pub id: u128,
    /// Whether somebody may have recorded a part of it.
    pub is_sampled: bool,
}

/// Where a piece of work stands in a trace: the trace, and the span that it is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceParent {
    /// The trace.
    pub trace: Trace,
    /// The span; never zero.
    pub span_id: u64,
}

/// A header or text that says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is no trace")]
pub struct UnknownTrace;

impl Trace {
    /// The trace of an update that nobody has given one: the same for all attempts to deliver it.
    #[must_use]
    pub const fn of_update(update_id: UpdateId) -> Self {
        Self { id: update_id.0.as_u128(), is_sampled: false }
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:032x}-{:02x}", self.id, u8::from(self.is_sampled) * SAMPLED)
    }
}

impl FromStr for Trace {
    type Err = UnknownTrace;

    fn from_str(text: &str) -> Result<Self, UnknownTrace> {
        let (id, flags) = text.split_once('-').ok_or(UnknownTrace)?;
        let id = hexadecimal(id, 32).filter(|id| *id != 0).ok_or(UnknownTrace)?;
        let flags = hexadecimal(flags, 2).ok_or(UnknownTrace)?;
        Ok(Self { id, is_sampled: flags & u128::from(SAMPLED) != 0 })
    }
}

/// The value of the header.
impl fmt::Display for TraceParent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flags = u8::from(self.trace.is_sampled) * SAMPLED;
        write!(formatter, "00-{:032x}-{:016x}-{flags:02x}", self.trace.id, self.span_id)
    }
}

/// Reads the header. A version to come may add parts at its end.
impl FromStr for TraceParent {
    type Err = UnknownTrace;

    fn from_str(header: &str) -> Result<Self, UnknownTrace> {
        let mut parts = header.split('-');
        let mut part = |digits| hexadecimal(parts.next()?, digits);
        let read = (part(2), part(32), part(16), part(2));
        let (Some(version @ ..0xff), Some(id @ 1..), Some(span_id @ 1..), Some(flags)) = read else {
            return Err(UnknownTrace);
        };
        if version == 0 && parts.next().is_some() {
            return Err(UnknownTrace);
        }
        let trace = Trace { id, is_sampled: flags & u128::from(SAMPLED) != 0 };
        Ok(Self { trace, span_id: u64::try_from(span_id).map_err(|_| UnknownTrace)? })
    }
}

/// A number of exactly so many digits, in lower case.
fn hexadecimal(text: &str, digits: usize) -> Option<u128> {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    (text.len() == digits && text.bytes().all(is_digit)).then(|| u128::from_str_radix(text, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::{Trace, TraceParent};

    const ID: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
    const SPAN: &str = "00f067aa0ba902b7";

    #[test]
    fn a_header_is_read_as_the_recommendation_says() {
        for (header, is_sampled) in [
            (format!("00-{ID}-{SPAN}-01"), Some(true)),
            (format!("00-{ID}-{SPAN}-00"), Some(false)),
            (format!("00-{ID}-{SPAN}-03"), Some(true)),
            (format!("cc-{ID}-{SPAN}-01-what-the-future-will-be-like"), Some(true)),
            (format!("00-{ID}-{SPAN}-01-more"), None),
            (format!("ff-{ID}-{SPAN}-01"), None),
            (format!("00-{}-{SPAN}-01", "0".repeat(32)), None),
            (format!("00-{ID}-{}-01", "0".repeat(16)), None),
            (format!("00-{}-{SPAN}-01", ID.to_uppercase()), None),
            (format!("00-{ID}-{SPAN}"), None),
            (format!("00-+{}-{SPAN}-01", &ID[1..]), None),
            (String::new(), None),
        ] {
            let read = header.parse::<TraceParent>().ok();
            assert_eq!(read.map(|parent| parent.trace.is_sampled), is_sampled, "{header}");
            let Some(TraceParent { trace, span_id }) = read else { continue };
            assert_eq!(trace.to_string().parse(), Ok(trace));
            let written = TraceParent { trace, span_id }.to_string();
            assert_eq!(written, format!("00-{ID}-{SPAN}-0{}", u8::from(trace.is_sampled)));
        }
    }

    #[test]
    fn what_is_stored_is_a_trace_or_nothing() {
        for text in ["", "1-01", "00000000000000000000000000000000-01", &format!("{ID}-0x"), ID] {
            assert!(text.parse::<Trace>().is_err(), "{text}");
        }
    }
}
