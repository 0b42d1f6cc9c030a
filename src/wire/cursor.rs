//! Opaque positions in lists (decisions 3.3, 3.4): a version, a kind and the position, in URL-safe base64.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::domain::ids::{RadarId, UpdateId};

const VERSION: u8 = 1;
const UPDATES: u8 = b'u';
const RADARS: u8 = b'r';
const FINDINGS: u8 = b'f';
const DELIVERIES: u8 = b'd';

/// A position in an account's updates: the next page begins after this sequence number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UpdatesCursor {
    /// The account's own sequence number of the last update read; never negative.
    pub sequence: i64,
}

/// A position in an account's radars, newest first: the next page begins after this radar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RadarCursor {
    /// When the last radar read was created.
    pub created_at: DateTime<Utc>,
    /// The last radar read; decides between radars of the same instant.
    pub radar_id: RadarId,
}

/// A position in the findings that wait for approval or were decided, oldest first: the next page begins after this finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FindingCursor {
    /// When the last finding read was detected.
    pub detected_at: DateTime<Utc>,
    /// The last finding read; decides between findings of the same instant.
    pub update_id: UpdateId,
}

/// A position in the log of deliveries, newest first: the next page begins after this delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeliveryCursor {
    /// When the update of the last delivery read was published.
    pub created_at: DateTime<Utc>,
    /// The last delivery read; decides between deliveries of the same instant.
    pub update_id: UpdateId,
}

impl DeliveryCursor {
    /// The opaque text.
    pub fn encode(self) -> String {
        encode(DELIVERIES, &instant_and_id(self.created_at, self.update_id.0))
    }

    /// Reads what [`DeliveryCursor::encode`] gave; `None` for anything else.
    pub fn decode(text: &str) -> Option<Self> {
        let (created_at, update_id) = read_instant_and_id(&decode(DELIVERIES, text)?)?;
        Some(Self { created_at, update_id: UpdateId(update_id) })
    }
}

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

impl RadarCursor {
    /// The opaque text.
    pub fn encode(self) -> String {
        encode(RADARS, &instant_and_id(self.created_at, self.radar_id.0))
    }

    /// Reads what [`RadarCursor::encode`] gave; `None` for anything else.
    pub fn decode(text: &str) -> Option<Self> {
        let (created_at, radar_id) = read_instant_and_id(&decode(RADARS, text)?)?;
        Some(Self { created_at, radar_id: RadarId(radar_id) })
    }
}

impl FindingCursor {
    /// The opaque text.
    pub fn encode(self) -> String {
        encode(FINDINGS, &instant_and_id(self.detected_at, self.update_id.0))
    }

    /// Reads what [`FindingCursor::encode`] gave; `None` for anything else.
    pub fn decode(text: &str) -> Option<Self> {
        let (detected_at, update_id) = read_instant_and_id(&decode(FINDINGS, text)?)?;
        Some(Self { detected_at, update_id: UpdateId(update_id) })
    }
}

fn instant_and_id(instant: DateTime<Utc>, id: Uuid) -> Vec<u8> {
    [&instant.timestamp_micros().to_be_bytes(), id.as_bytes().as_slice()].concat()
}

fn read_instant_and_id(position: &[u8; 24]) -> Option<(DateTime<Utc>, Uuid)> {
    let (instant, id) = position.split_first_chunk::<8>()?;
    Some((DateTime::from_timestamp_micros(i64::from_be_bytes(*instant))?, Uuid::from_slice(id).ok()?))
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
    use crate::domain::ids::RadarId;

    #[test]
    fn decision_3_4_one_kind_is_not_read_as_the_other() {
        let radars = RadarCursor { created_at: DateTime::UNIX_EPOCH, radar_id: RadarId(Uuid::nil()) };
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
            let created_at = DateTime::from_timestamp_micros(micros).expect("an instant");
            let radars = RadarCursor { created_at, radar_id: RadarId(Uuid::from_u128(id)) };
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
            let radars = RadarCursor { created_at: DateTime::UNIX_EPOCH, radar_id: RadarId(Uuid::from_u128(id)) };
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
