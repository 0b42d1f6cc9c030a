//! What a run knows: the oracle and the rows of each account, what was committed, and the first thing that went wrong.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use domain::account::{
    Command, CommandRejection, Deactivate, DecideApproval, Decision, EndUnreachable, FinishSetUp, Release, Report,
    SetStatus,
};
use entity::delivery;
use store::{Decisions, Submission};
use uuid::Uuid;

use super::accounts::{Reader, Wanted};
use super::agreement::compare;
use super::chronicle::Chronicle;
use super::invariants;
use super::model::Model;
use super::replay::{described_with_answer, is_kept, play};
use super::situations::{self, Situations};
use super::trace::Trace;

/// One account, as it must be and as it is.
pub struct Watched {
    pub model: Model,
    pub chronicle: Chronicle,
}

/// Everything that is known of a run.
pub struct Record {
    pub trace: Trace,
    pub violation: Option<String>,
    pub accounts: BTreeMap<Uuid, Watched>,
    /// What came of each command, as it was committed.
    journal: BTreeMap<String, Vec<String>>,
    reader: Reader,
    commits: u64,
    /// How many due renewals a transaction decides.
    renewals_max: usize,
    /// What the parties met with.
    pub situations: Situations,
}

impl Record {
    /// A record of the database at `url`, which holds these accounts.
    pub fn new(url: &str, renewals_max: usize, accounts: impl IntoIterator<Item = (Uuid, Model)>) -> Self {
        let watched = |(id, model)| (id, Watched { model, chronicle: Chronicle::new(id) });
        let mut record = Self {
            trace: Trace::default(),
            violation: None,
            accounts: accounts.into_iter().map(watched).collect(),
            journal: BTreeMap::new(),
            reader: Reader::open(url),
            commits: 0,
            renewals_max,
            situations: Situations::new(),
        };
        let ids: Vec<Uuid> = record.accounts.keys().copied().collect();
        for id in ids {
            let looked = record.see(id, DateTime::UNIX_EPOCH).and_then(|()| record.look(id));
            record.expect(DateTime::UNIX_EPOCH, looked);
        }
        record
    }

    /// Checks a commit that has just happened: the outcomes, and the rows of every account that it touched.
    pub fn committed(&mut self, submissions: &[&Submission], decisions: &[Decisions], now: DateTime<Utc>) {
        self.commits += 1;
        self.trace.note(
            now,
            format_args!(
                "commit {} of {}",
                self.commits,
                submissions.iter().map(|submission| submission.commands.len()).sum::<usize>()
            ),
        );
        let touched: BTreeSet<Uuid> = submissions.iter().map(|submission| submission.account_id.0).collect();
        for id in &touched {
            let seen = self.see(*id, now);
            self.expect(now, seen);
            if let Some(account) = self.accounts.get_mut(id) {
                account.model.begin(now.timestamp_micros(), (self.renewals_max / touched.len()).max(1));
            }
        }
        let each = submissions.iter().zip(decisions).flat_map(|(submission, decisions)| {
            submission
                .commands
                .iter()
                .zip(decisions)
                .map(|(command, decision)| (submission.account_id, command, decision))
        });
        for (account_id, command, decision) in each {
            let described = described_with_answer(decision);
            self.trace.note(now, format_args!("  {} {}: {described}", short(account_id.0), name(command)));
            self.journal.entry(name(command)).or_default().push(described);
            if let Some(account) = self.accounts.get_mut(&account_id.0) {
                let played = play(&mut account.model, command, decision);
                situations::count_decision(&account.model, command, decision, &mut self.situations);
                let kept = is_kept(&account.model, command, decision);
                self.expect(now, played.and(kept));
            }
        }
        for id in touched {
            let looked = self.look(id);
            self.expect(now, looked);
        }
    }

    /// Checks who has made a commit that has just happened: nobody whom others have given up (N1).
    pub fn made_by(&mut self, node_id: Uuid, now: DateTime<Utc>) {
        let made = match self.reader.is_node(node_id) {
            Ok(false) => Err("N1 a process commits that was given up".to_owned()),
            answered => answered.map(drop),
        };
        self.expect(now, made);
    }

    /// Reads what changed in an account. The oracle forgets radars that retention has removed meanwhile.
    fn see(&mut self, id: Uuid, now: DateTime<Utc>) -> Result<(), String> {
        let Some(account) = self.accounts.get_mut(&id) else { return Err(format!("nobody knows account {id}")) };
        let accounts = self.reader.read(account.chronicle.wanted())?;
        account.chronicle.take(accounts, now.timestamp_micros());
        for gone in &account.chronicle.purged {
            if account.model.radars.remove(gone).is_some() {
                *self.situations.entry("radars that retention removed").or_default() += 1;
                if !account.chronicle.may_be_gone(*gone, now.timestamp_micros()) {
                    return Err(format!("radar {gone} was removed too early"));
                }
            }
        }
        Ok(())
    }

    /// Checks what was read of an account.
    fn look(&mut self, id: Uuid) -> Result<(), String> {
        let Some(account) = self.accounts.get_mut(&id) else { return Err(format!("nobody knows account {id}")) };
        account.chronicle.left_from = account.model.left_from;
        compare(&account.model, &account.chronicle)?;
        invariants::check(&account.chronicle)
    }

    /// Reads everything anew: nothing of what was committed may have changed since, and nothing else may be there.
    pub fn verify(&mut self, now: DateTime<Utc>) {
        let wanted: Vec<Wanted> = self.accounts.values().map(|account| account.chronicle.wanted_whole()).collect();
        for wanted in wanted {
            let whole = self.reader.read(wanted);
            let account = &mut self.accounts.get_mut(&wanted.account_id).expect("an account");
            account.chronicle.now = account.chronicle.now.max(now.timestamp_micros());
            let kept = whole.and_then(|whole| account.chronicle.is_kept(&whole));
            self.expect(now, kept.map_err(|error| format!("C1 what was committed stays: {error}")));
        }
    }

    /// Every delivery that is there.
    pub fn deliveries(&self) -> Result<Vec<delivery::Model>, String> {
        let of = |account: &Watched| Ok(self.reader.read(account.chronicle.wanted_whole())?.deliveries);
        let all: Result<Vec<_>, String> = self.accounts.values().map(of).collect();
        Ok(all?.concat())
    }

    /// Checks an answer that somebody got: it is what was committed for that command (C1, C2).
    pub fn answered(&mut self, command: &Command, decision: &Decision, now: DateTime<Utc>) {
        let described = described_with_answer(decision);
        self.trace.note(now, format_args!("answer to {}: {described}", name(command)));
        let is_known = self.journal.get(&name(command)).is_some_and(|outcomes| outcomes.contains(&described));
        let checked = if matches!(decision, Err(CommandRejection::Overdue)) {
            Err(format!("C1 {} was answered with what only the ledger may hear", name(command)))
        } else if is_known {
            Ok(())
        } else {
            Err(format!("C1 {} was answered {described}, which was never committed", name(command)))
        };
        self.expect(now, checked);
    }

    /// Checks that a command that was certainly refused has left nothing (C2).
    pub fn left_nothing(&mut self, command: &Command, now: DateTime<Utc>) {
        let is_known = self.journal.contains_key(&name(command));
        let checked = if is_known { Err(format!("C2 {} was refused, and happened", name(command))) } else { Ok(()) };
        self.expect(now, checked);
    }

    /// Notes the first thing that is wrong.
    pub fn expect(&mut self, now: DateTime<Utc>, is_right: Result<(), String>) {
        if let Err(what) = is_right
            && self.violation.is_none()
        {
            self.trace.note(now, format_args!("VIOLATION {what}"));
            self.violation = Some(what);
        }
    }

    pub fn commits(&self) -> u64 {
        self.commits
    }
}

/// The last digits of an identifier, for people.
pub fn short(id: Uuid) -> String {
    format!("{:04x}", id.as_u128() & 0xffff)
}

/// What a command is about, in a line.
pub fn name(command: &Command) -> String {
    match command {
        Command::TopUp(paid) => {
            format!("top-up {} of {} until {:?}", paid.payment_ref, paid.amount, paid.expires_at)
        }
        Command::Create(wanted) => {
            let target = wanted.wanted.target.domain().map(|domain| domain.as_str().to_owned()).unwrap_or_default();
            format!("create {} {} {target}", wanted.radar_id, wanted.wanted.radar_type)
        }
        Command::FinishSetUp(FinishSetUp { radar_id, .. }) => format!("finish set-up of {radar_id}"),
        Command::Report(Report { radar_id, findings, .. }) => {
            let records: Vec<_> = findings.iter().map(|finding| short(finding.record_id)).collect();
            format!("report {radar_id} {}", records.join(" "))
        }
        Command::Deactivate(Deactivate { radar_id }) => format!("deactivate {radar_id}"),
        Command::EndUnreachable(EndUnreachable { radar_id, period_no }) => {
            format!("end {radar_id}, unreachable in period {period_no}")
        }
        Command::CreateOnce(once) => {
            let radars: Vec<_> = once.creations.iter().map(|creation| creation.radar_id.to_string()).collect();
            format!("create {} under {}, {}", radars.join(" "), once.request.key_hash, once.request.request_hash)
        }
        Command::DecideApproval(DecideApproval { update_id, decision }) => format!("{} {update_id}", decision.as_str()),
        Command::Release(Release { radar_id }) => format!("release {radar_id}"),
        Command::SetStatus(SetStatus { status }) => format!("set status {}", status.as_str()),
        Command::SettleDue(_) => "settle_due".to_owned(),
    }
}
