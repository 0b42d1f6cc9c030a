//! Opaque positions in lists (decisions 3.3, 3.4): a version, a kind and the position, in URL-safe base64.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use uuid::Uuid;

const VERSION: u8 = 1;
const UPDATES: u8 = b'u';

/// A position in an account's updates: the next page begins after this sequence number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UpdatesCursor {
    /// The account's own sequence number of the last update read; never negative.
    pub sequence: i64,
}

/// A position in a list that is ordered by an instant: the next page begins behind this record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstantCursor<const KIND: u8> {
    /// The instant of the last record read.
    pub at: DateTime<Utc>,
    /// The last record read; decides between records of the same instant.
    pub id: Uuid,
}

/// A position in an account's radars, newest first, by their creation.
pub type RadarCursor = InstantCursor<b'r'>;
/// A position in the findings that wait for approval or were decided, oldest first, by their detection.
pub type FindingCursor = InstantCursor<b'f'>;
/// A position in the log of deliveries, newest first, by the publication of their updates.
pub type DeliveryCursor = InstantCursor<b'd'>;

impl UpdatesCursor {
    /// The opaque text.
    pub fn encode(self) -> String {
        encode(UPDATES, &self.sequence.to_be_bytes())
    }

    /// Reads what [`UpdatesCursor::encode`] gave; `None` for anything else.
    pub fn decode(text: &str) -> Option<Self> {
        let sequence = i64::from_be_bytes(decode::<8>(UPDATES, text)?);
        (sequence >= 0).then_some(Self { sequence })
    }
}

impl<const KIND: u8> InstantCursor<KIND> {
    /// The opaque text.
    pub fn encode(self) -> String {
        encode(KIND, &[&self.at.timestamp_micros().to_be_bytes(), self.id.as_bytes().as_slice()].concat())
    }

    /// Reads what [`InstantCursor::encode`] gave; `None` for anything else.
    pub fn decode(text: &str) -> Option<Self> {
        let position = decode::<24>(KIND, text)?;
        let (instant, id) = position.split_first_chunk::<8>()?;
        let at = DateTime::from_timestamp_micros(i64::from_be_bytes(*instant))?;
        Some(Self { at, id: Uuid::from_slice(id).ok()? })
    }
}

fn encode(kind: u8, position: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode([&[VERSION, kind], position].concat())
}

fn decode<const LENGTH: usize>(kind: u8, text: &str) -> Option<[u8; LENGTH]> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    bytes.strip_prefix(&[VERSION, kind])?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;
    use chrono::DateTime;
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::{RadarCursor, UpdatesCursor};

    #[test]
    fn decision_3_4_one_kind_is_not_read_as_the_other() {
        let radars = RadarCursor { at: DateTime::UNIX_EPOCH, id: Uuid::nil() };
        assert_eq!(UpdatesCursor::decode(&radars.encode()), None);
        assert_eq!(RadarCursor::decode(&UpdatesCursor { sequence: 1 }.encode()), None);
        let negative = URL_SAFE_NO_PAD.encode([&[1, b'u'][..], &(-1i64).to_be_bytes()].concat());
        let other_version = URL_SAFE_NO_PAD.encode([&[2, b'u'][..], &1i64.to_be_bytes()].concat());
        for text in ["", "7", "=", negative.as_str(), other_version.as_str()] {
            assert_eq!(UpdatesCursor::decode(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn positions_survive(sequence in 0..=i64::MAX, micros in -1_000_000i64..4_000_000_000_000_000, id in any::<u128>()) {
            let updates = UpdatesCursor { sequence };
            prop_assert_eq!(UpdatesCursor::decode(&updates.encode()), Some(updates));
            let at = DateTime::from_timestamp_micros(micros).expect("an instant");
            let radars = RadarCursor { at, id: Uuid::from_u128(id) };
            prop_assert_eq!(RadarCursor::decode(&radars.encode()), Some(radars));
        }

        #[test]
        fn arbitrary_bytes_are_refused_or_read_back_alike(mut bytes in prop::collection::vec(any::<u8>(), 0..40), dress in any::<bool>()) {
            if dress && bytes.len() >= 2 {
                bytes[0] = 1;
                bytes[1] = if bytes.len() == 26 { b'r' } else { b'u' };
            }
            let text = URL_SAFE_NO_PAD.encode(&bytes);
            if let Some(cursor) = UpdatesCursor::decode(&text) {
                prop_assert_eq!(cursor.encode(), text.clone());
            }
            if let Some(cursor) = RadarCursor::decode(&text) {
                prop_assert_eq!(cursor.encode(), text);
            }
        }

        /// One text for each position: what is changed is refused, or says another position and nothing besides.
        #[test]
        fn decision_3_4_a_changed_character_is_refused_or_is_another_position(
            sequence in 0..=i64::MAX,
            id in any::<u128>(),
            place in 0usize..35,
            other in "[A-Za-z0-9_=+/ -]|.",
        ) {
            let updates = UpdatesCursor { sequence };
            let radars = RadarCursor { at: DateTime::UNIX_EPOCH, id: Uuid::from_u128(id) };
            for text in [updates.encode(), radars.encode()] {
                let place = place % text.len();
                let changed = format!("{}{other}{}", &text[..place], &text[place + 1..]);
                let read = UpdatesCursor::decode(&changed).map(UpdatesCursor::encode);
                let read = read.or(RadarCursor::decode(&changed).map(RadarCursor::encode));
                prop_assert!(read.is_none_or(|read| read == changed));
            }
        }

        #[test]
        fn arbitrary_text_never_panics(text in ".{0,60}") {
            prop_assert!(UpdatesCursor::decode(&text).is_none() || RadarCursor::decode(&text).is_none());
        }
    }
}
