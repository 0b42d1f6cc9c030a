//! Which event a finding's content tells of: the same announcement on three wires, a newsroom and in a register is one
//! event, and a radar reports it once within [`EVENT_WINDOW`].
//!
//! Duty: pure rules over content. A person is known by first and last name, of whom a headline tells the last alone by
//! that; a company by its name without a legal form; a round without a name may be any of the company's.

use chrono::TimeDelta;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::company_name::{letters, without_legal_form};
use crate::ids::event_id;
use crate::radar_type::RadarType;

/// How long after the first finding others about the same event add nothing.
pub const EVENT_WINDOW: TimeDelta = TimeDelta::days(30);

/// An event, as far as two findings of one radar can be about the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindingEvent {
    /// What it happened to; findings with different ones are about different events.
    pub id: Uuid,
    /// Which of several things that can happen to the same within a short time; `None` where the content does not say.
    pub part: Option<String>,
    /// How many keys of the content are filled: of several findings at once the one that says most counts.
    pub keys_filled: usize,
}

impl FindingEvent {
    /// The event that `content`, the JSON of a finding of `radar_type`, tells of; `None` for types whose findings are no
    /// events, and for content that does not say whom it is about.
    pub fn of(radar_type: RadarType, content: &str) -> Option<Self> {
        let has_events = matches!(
            radar_type,
            RadarType::CompanyNewHires
                | RadarType::CompanyPromotions
                | RadarType::ContactJobChanges
                | RadarType::IndustryFundingRounds
        );
        let content: Map<String, Value> = serde_json::from_str(content).ok().filter(|_| has_events)?;
        let text = |name: &str| content.get(name).and_then(Value::as_str);
        let (subject, part) = match radar_type {
            RadarType::IndustryFundingRounds => (company(text("company_name")?), text("round").map(letters)),
            RadarType::ContactJobChanges => {
                let role = content.get("new_role").and_then(|role| role.get("company_name")).and_then(Value::as_str);
                (text("change_type")?.to_owned(), role.map(company))
            }
            _ => person(text("full_name")?),
        };
        let keys_filled = content.values().filter(|value| !value.is_null()).count();
        let id = event_id(radar_type, &subject);
        (!subject.is_empty()).then_some(Self { id, part: part.filter(|part| !part.is_empty()), keys_filled })
    }

    /// Whether a finding with this part of the same event is about the same.
    pub fn is_same_part(&self, other: Option<&str>) -> bool {
        self.part.is_none() || other.is_none() || self.part.as_deref() == other
    }
}

/// A company's name without the legal form.
fn company(name: &str) -> String {
    letters(without_legal_form(name))
}

/// A person's last name, and the first one where it is told.
fn person(name: &str) -> (String, Option<String>) {
    let words: Vec<String> = name.split_whitespace().map(letters).filter(|word| !word.is_empty()).collect();
    match words.as_slice() {
        [first, .., last] => (last.clone(), Some(first.clone())),
        words => (words.concat(), None),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::FindingEvent;
    use crate::radar_type::RadarType;

    fn event(radar_type: RadarType, content: &Value) -> FindingEvent {
        FindingEvent::of(radar_type, &content.to_string()).unwrap_or_else(|| panic!("{content}"))
    }

    fn is_one(radar_type: RadarType, one: &Value, other: &Value) -> bool {
        let (one, other) = (event(radar_type, one), event(radar_type, other));
        one.id == other.id && one.is_same_part(other.part.as_deref())
    }

    #[test]
    fn a_round_is_one_by_its_company_and_its_name_as_far_as_that_is_said() {
        let round = |company: &str, round: Value| json!({"company_name": company, "round": round});
        for (one, other, wanted) in [
            (round("Acme, Inc.", json!("Series A")), round("ACME", json!("series-a")), true),
            (round("Acme", json!("Series A")), round("Acme Holdings", Value::Null), true),
            (round("Acme", json!("Seed")), round("Acme", json!("Series A")), false),
            (round("Acme", Value::Null), round("Acme Robotics", Value::Null), false),
            (round("Ørsted", Value::Null), round("Ørsted A/S", Value::Null), true),
            (round("Société Générale SA", Value::Null), round("Societe Generale", Value::Null), true),
        ] {
            assert_eq!(is_one(RadarType::IndustryFundingRounds, &one, &other), wanted, "{one} {other}");
        }
    }

    #[test]
    fn a_move_is_one_by_the_person_and_a_job_change_by_where_it_leads() {
        let person = |name: &str| json!({"full_name": name});
        assert!(is_one(RadarType::CompanyNewHires, &person("Ines Varga"), &person("Inés K. VARGA")));
        assert!(!is_one(RadarType::CompanyNewHires, &person("Ines Varga"), &person("Irma Varga")));
        assert!(is_one(RadarType::CompanyNewHires, &person("Ines Varga"), &person("Varga")));
        let (hire, promotion) =
            (event(RadarType::CompanyNewHires, &person("Ines Varga")), RadarType::CompanyPromotions);
        assert_ne!(hire.id, event(promotion, &person("Ines Varga")).id);
        let change = |kind: &str, company: Value| json!({"change_type": kind, "new_role": {"company_name": company}});
        let changes = RadarType::ContactJobChanges;
        assert!(is_one(
            changes,
            &change("new_company_role", json!("Acme Inc")),
            &change("new_company_role", json!("Acme"))
        ));
        assert!(!is_one(
            changes,
            &change("new_company_role", json!("Acme")),
            &change("new_company_role", json!("Tern"))
        ));
        assert!(!is_one(changes, &change("departure", Value::Null), &change("new_company_role", json!("Acme"))));
    }

    #[test]
    fn what_tells_of_nobody_is_no_event() {
        for (radar_type, content) in [
            (RadarType::CompanyMentions, json!({"full_name": "Ines Varga", "company_name": "Acme"})),
            (RadarType::CompanyNewHires, json!({"full_name": null})),
            (RadarType::IndustryFundingRounds, json!({"company_name": " . "})),
            (RadarType::IndustryFundingRounds, json!([1])),
        ] {
            assert_eq!(FindingEvent::of(radar_type, &content.to_string()), None, "{radar_type} {content}");
        }
        assert_eq!(FindingEvent::of(RadarType::CompanyNewHires, "no JSON"), None);
    }
}
