//! Updates as server-sent events.

use crate::cursor::UpdatesCursor;

/// The media type.
pub const EVENT_STREAM: &str = "text/event-stream";
/// The header in which a client that comes back says which event it saw last.
pub const LAST_EVENT_ID: &str = "last-event-id";
/// What a stream begins with: how soon to come back after a cut, in milliseconds.
pub const OPENING: &str = "retry: 2000\n\n";
/// A comment, which clients pass over.
pub const HEARTBEAT: &str = ":\n\n";

/// The event of the stored payload `body`, which is one line of JSON; its identifier is the cursor behind it.
pub fn event(sequence: i64, body: &str) -> String {
    format!("id: {}\ndata: {body}\n\n", UpdatesCursor { sequence }.encode())
}

#[cfg(test)]
mod tests {
    use super::event;
    use crate::cursor::UpdatesCursor;

    #[test]
    fn an_event_is_a_payload_as_it_is_stored_and_the_place_behind_it() {
        let cursor = UpdatesCursor { sequence: 7 }.encode();
        assert_eq!(event(7, r#"{"a": 1.10}"#), format!("id: {cursor}\ndata: {{\"a\": 1.10}}\n\n"));
    }
}
