//! An account does what it has due (decisions 4.3, 4.5, 4.6, 4.9).

use crate::account::read_set::ReadSet;
use crate::account::{Account, Decision};
use crate::ids::{AccountId, RadarId};
use crate::radar::Radar;

/// Something may be due: renewals, expiries, held findings, the end of a radar's paid time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SettleDue {
    /// The radar whose paid time may be over, and whose record is wanted in answer.
    pub radar_id: Option<RadarId>,
}

/// What was due is done.
#[derive(Clone, Debug)]
pub struct Settled {
    /// The radar that was asked for.
    pub radar: Option<Box<Radar>>,
    /// Whether more is due.
    pub has_more: bool,
}

impl SettleDue {
    pub(in crate::account) fn read(&self, _: AccountId, read_set: &mut ReadSet) {
        read_set.radars.extend(self.radar_id);
        read_set.held_findings = true;
    }

    pub(in crate::account) fn decide(&self, account: &mut Account) -> Decision<Settled> {
        account.release_held_findings();
        if let Some(radar_id) = self.radar_id {
            account.end_grace_when_over(radar_id);
        }
        let radar = self.radar_id.and_then(|radar_id| account.state.radars.get(&radar_id).cloned());
        Ok(Settled { radar: radar.map(Box::new), has_more: account.has_more() })
    }
}
