//! What the keys of `content` mean, for the schemas of payloads (decisions, section 6).

/// The meaning of a key, which is the same in every type that has it.
pub(super) fn described(key: &str) -> &'static str {
    match key {
        "activity" => "What the company does, in the register's words.",
        "amount" => "The amount raised, in units of `currency`.",
        "announced_at" => "When it was announced.",
        "author" => "Who wrote it or, of an engagement, who engaged.",
        "change_type" => "The kind of move.",
        "company_domain" => "The domain of the company.",
        "company_name" => "The name of the company.",
        "country" => "The country, as the source names it or as an ISO 3166-1 alpha-2 code.",
        "currency" => "The currency, as an ISO 4217 code where the source gives one.",
        "current_title" => "The title after the promotion.",
        "end_date" => "The last day in the position.",
        "engaged_at" => "When somebody engaged.",
        "engagement_content" => "The words of a comment or quote.",
        "engagement_type" => "The kind of engagement.",
        "first_name" => "The first name.",
        "full_name" => "The whole name.",
        "investors" => "Who invested.",
        "job_description" => "The posting as plain text.",
        "job_posted_at" => "When the job was posted.",
        "job_source" => "Where the posting was found.",
        "job_title" => "The title of the posting.",
        "job_url" => "The address of the posting.",
        "jurisdiction" => "The register's jurisdiction.",
        "last_name" => "The last name.",
        "mention_channel" => "The kind of place that mentions it.",
        "mention_content" => "The words that mention it.",
        "mention_posted_at" => "When the mention was published.",
        "mention_url" => "The address of the mention.",
        "name" => "The name that is shown.",
        "new_role" => "The position that was taken up; its keys are null where there is none.",
        "post_channel" => "The network.",
        "post_content" => "The words of the post.",
        "post_posted_at" => "When the post was published.",
        "post_url" => "The address of the post.",
        "previous_role" => "The position that was left; its keys are null where there is none.",
        "previous_title" => "The title before the promotion.",
        "profile_type" => "Whether a person or a company.",
        "profile_url" => "The address of the profile.",
        "promotion_date" => "When the promotion took place.",
        "registered_at" => "When the company was registered.",
        "registration_number" => "The number in the register.",
        "review_content" => "The words of the review.",
        "review_rating" => "The rating, on the scale of the source.",
        "review_source" => "Where the review was found.",
        "review_url" => "The address of the review.",
        "reviewed_at" => "When the review was written.",
        "round" => "The funding round.",
        "source_name" => "Evidence: the name of the source.",
        "source_url" => "Evidence: where it was found.",
        "start_date" => "The first day in the position.",
        "title" => "The title of the position.",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::described;
    use crate::domain::radar::radar_type::RadarType;
    use crate::wire::content::{Key, Shape, keys};

    fn check(keys: &[Key]) {
        for (name, shape) in keys {
            assert!(!described(name).is_empty(), "{name} has no description");
            if let Shape::Object(nested) | Shape::Always(nested) = shape {
                check(nested);
            }
        }
    }

    #[test]
    fn every_key_is_described() {
        for radar_type in RadarType::ALL {
            keys(*radar_type).iter().for_each(|group| check(group));
        }
    }
}
