//! One event, one finding: what other sources announce of an event that a radar has reported lately is no finding, and
//! costs nothing.

use std::collections::BTreeSet;

use super::Account;
use super::findings::Finding;
use crate::content::event::FindingEvent;
use crate::ids::RadarId;

impl Account {
    /// Whether the radar has reported the event of `finding` within the window.
    pub(in crate::account) fn is_known_event(&self, radar_id: RadarId, finding: &Finding) -> bool {
        let Some(event) = &finding.event else { return false };
        let reported = self.state.events.get(&(radar_id, event.id));
        reported.is_some_and(|parts| parts.iter().any(|part| event.is_same_part(part.as_deref())))
    }

    /// Notes that the radar has the event of `finding`.
    pub(in crate::account) fn note_event(&mut self, radar_id: RadarId, finding: &Finding) {
        if let Some(event) = &finding.event {
            self.state.events.entry((radar_id, event.id)).or_default().push(event.part.clone());
        }
    }
}

/// Those of findings reported together that say less than another new one about the same event, by their place; of those
/// that say as much the first is left.
pub(super) fn poorer(findings: &[Finding], is_new: impl Fn(&Finding) -> bool) -> BTreeSet<usize> {
    let new = findings.iter().enumerate().filter(|(_, finding)| is_new(finding));
    let events: Vec<(usize, &FindingEvent)> =
        new.filter_map(|(index, finding)| Some((index, finding.event.as_ref()?))).collect();
    let is_poorer = |(index, event): &(usize, &FindingEvent)| {
        events.iter().any(|(other_index, other)| {
            let is_same = other.id == event.id && event.is_same_part(other.part.as_deref());
            is_same
                && (other.keys_filled > event.keys_filled
                    || other.keys_filled == event.keys_filled && other_index < index)
        })
    };
    events.iter().filter(|one| is_poorer(one)).map(|(index, _)| *index).collect()
}
