//! Radars that were read lately, with their versions: where other processes write as well, each read asks the server
//! which of them have changed since, and only those are sent again.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::domain::ids::RadarId;
use crate::store::queries::radars::RadarAndPause;

/// How many radars are kept at most.
const RADARS_MAX: usize = 4096;

/// A radar as it was when its row, and the pause of its type, had this version.
#[derive(Clone, Debug)]
pub(super) struct Versioned {
    /// Changes with every change of the row or the pause.
    pub(super) version: String,
    /// The radar.
    pub(super) radar: RadarAndPause,
}

/// The radars that are kept.
#[derive(Default)]
pub(in crate::store) struct RadarVersions(Mutex<HashMap<RadarId, Arc<Versioned>>>);

impl RadarVersions {
    /// What is known of each of these radars.
    pub(super) fn known(&self, radar_ids: &[RadarId]) -> Vec<Option<Arc<Versioned>>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        radar_ids.iter().map(|radar_id| kept.get(radar_id).cloned()).collect()
    }

    /// Keeps what was just read.
    pub(super) fn keep(&self, read: impl IntoIterator<Item = Versioned>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for versioned in read {
            if kept.len() >= RADARS_MAX {
                kept.clear();
            }
            kept.insert(versioned.radar.0.radar_id, Arc::new(versioned));
        }
    }
}
