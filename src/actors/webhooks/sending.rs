//! From memory to the receivers: a claimed delivery is sent as soon as there is a place for it.

use super::attempt::{Ended, Ending, Outgoing, attempt, cancelled};
use super::{DispatcherMessage, WebhookDispatcher};
use store::{ClaimedDelivery, EndedAttempt, HandOver};

impl WebhookDispatcher {
    /// Takes over what a commit wrote; `life` is the one that reserved the places.
    pub(super) fn take_over(&mut self, life: u64, written: HandOver) {
        let HandOver { claimed, waiting } = written;
        if life != self.life {
            let limiter = &mut self.room.lock().limiter;
            for claimed in &claimed {
                limiter.hold_all(claimed.account_id, claimed.endpoint_id, true, 1);
            }
        }
        claimed.into_iter().for_each(|claimed| self.queue(claimed));
        waiting.into_iter().for_each(|endpoint| self.waiting.note(endpoint));
        if self.draining.is_some() {
            self.give_back_ready();
        }
    }

    pub(super) fn queue(&mut self, claimed: ClaimedDelivery) {
        let (account_id, endpoint_id) = (claimed.account_id, claimed.endpoint_id);
        let is_repeated = claimed.delivery.attempts > 0;
        self.ready.push(account_id, endpoint_id, is_repeated, Outgoing::new(claimed));
    }

    /// Begins as many attempts as there are places for.
    pub(super) fn send_ready(&mut self) {
        if self.ready.is_empty() {
            return;
        }
        let now = self.parts.clock.now();
        let begin_by = now + self.parts.timeout();
        let (room, store) = (self.room.clone(), self.parts.store.clone());
        // Another process may send it before this attempt would end, or sends it already.
        let is_lost = |claimed: &ClaimedDelivery| {
            claimed.lease_until < begin_by || !store.membership().is_trusted(claimed.claimed_by)
        };
        let next = |dispatcher: &mut Self| {
            dispatcher.ready.next(|Outgoing { claimed, host }| {
                let ClaimedDelivery { account_id, endpoint_id, .. } = *claimed;
                is_lost(claimed) || room.lock().limiter.begin(account_id, endpoint_id, host)
            })
        };
        while let Some(outgoing) = next(self) {
            if is_lost(&outgoing.claimed) {
                self.forget(&outgoing.claimed);
                continue;
            }
            let ended = DispatcherMessage::Ended(Ended { life: self.life, outgoing, report: None });
            let ending = Ending::new(&self.mailbox, ended);
            actix::spawn(attempt(self.parts.clone(), self.hurry.subscribe(), ending));
        }
    }

    /// Notes the end of an attempt. A success frees its place at once; a failure keeps it until it is recorded, so that a
    /// breaker that opens is seen before more is sent.
    pub(super) fn note_ended(&mut self, ended: Ended) {
        let Ended { outgoing: Outgoing { claimed, host }, report, .. } = ended;
        let endpoint_id = claimed.endpoint_id;
        let Some(report) = report else {
            self.room.lock().limiter.end(endpoint_id, &host);
            self.forget(&claimed);
            return;
        };
        let place = (!report.outcome.is_success()).then(|| host.clone());
        let mut room = self.room.lock();
        room.limiter.learn(endpoint_id, report.outcome);
        if place.is_none() {
            room.limiter.end(endpoint_id, &host);
        }
        drop(room);
        self.ended.push((EndedAttempt { claimed, report }, place));
    }

    /// Lets go of a claim that is neither sent nor given back: its delivery is due again when the lease ends.
    pub(super) fn forget(&mut self, claimed: &ClaimedDelivery) {
        self.room.lock().limiter.release(claimed.endpoint_id, 1);
        self.poll_by(claimed.lease_until);
    }

    /// Gives back everything that has not begun.
    pub(super) fn give_back_ready(&mut self) {
        let outgoing = self.ready.clear();
        self.give_back(outgoing);
    }

    pub(super) fn give_back(&mut self, outgoing: Vec<Outgoing>) {
        let report = cancelled(self.parts.clock.now());
        let ended = |Outgoing { claimed, .. }| (EndedAttempt { claimed, report: report.clone() }, None);
        self.ended.extend(outgoing.into_iter().map(ended));
    }
}
