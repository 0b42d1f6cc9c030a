//! What a source's answers mean where they mean something else than usual (the `[answers]` table).

use serde::Deserialize;
use serde_json_path::JsonPath;

use domain::FailureClass;

/// Statuses and signs with a meaning of their own.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AnswerRules {
    /// Statuses that say that there is no such target.
    pub dead: Vec<u16>,
    /// Statuses that ask for fewer requests.
    pub throttled: Vec<u16>,
    /// Statuses that say that the credentials are wrong or missing.
    pub auth: Vec<u16>,
    /// Statuses that pass by themselves.
    pub passing: Vec<u16>,
    /// Selects something in an answer that reports an error in place of a list.
    pub error_if: Option<JsonPath>,
}

impl AnswerRules {
    /// The meaning of `status`, where the source gives it one of its own.
    pub fn class_of(&self, status: u16) -> Option<FailureClass> {
        let rules = [
            (&self.dead, FailureClass::Dead),
            (&self.throttled, FailureClass::Throttled),
            (&self.auth, FailureClass::Auth),
            (&self.passing, FailureClass::Unavailable),
        ];
        rules.into_iter().find(|(statuses, _)| statuses.contains(&status)).map(|(_, class)| class)
    }
}
