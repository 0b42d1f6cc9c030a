//! The fifteen radar types and their three categories (Spec 2.1).

use std::fmt;

use super::closed;

closed! {
    /// What kind of target a radar watches; each has its own creation endpoint (Spec 1).
    Category {
        /// The target is a domain.
        Company = "company",
        /// The target is a person.
        Contact = "contact",
        /// The target is a keyword or theme.
        Industry = "industry",
    }
}

macro_rules! radar_types {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $category:ident;)*) => {
        closed! {
            /// The signal that a radar reports (Spec 2.1).
            RadarType { $($(#[$doc])* $variant = $name,)* }
        }

        impl RadarType {
            /// The category, and so the endpoint that creates it.
            pub const fn category(self) -> Category {
                match self { $(Self::$variant => Category::$category,)* }
            }
        }
    };
}

radar_types! {
    /// New job postings of a company.
    CompanyJobOpenings = "company_job_openings", Company;
    /// People joining a company.
    CompanyNewHires = "company_new_hires", Company;
    /// Internal promotions at a company.
    CompanyPromotions = "company_promotions", Company;
    /// Social posts of a company's executives.
    CompanySocialPostsCxo = "company_social_posts_cxo", Company;
    /// Reviews of a company as an employer.
    CompanyReviews = "company_reviews", Company;
    /// Web mentions of a company.
    CompanyMentions = "company_mentions", Company;
    /// Social posts of a company.
    CompanySocialPosts = "company_social_posts", Company;
    /// Engagement with a company's posts.
    CompanySocialEngagements = "company_social_engagements", Company;
    /// Career moves of one person.
    ContactJobChanges = "contact_job_changes", Contact;
    /// Social posts of one person.
    ContactSocialPosts = "contact_social_posts", Contact;
    /// Engagement activity around one person.
    ContactSocialEngagements = "contact_social_engagements", Contact;
    /// Companies mentioning a keyword.
    IndustryMentions = "industry_mentions", Industry;
    /// New funding announcements.
    IndustryFundingRounds = "industry_funding_rounds", Industry;
    /// Newly founded companies.
    IndustryNewCompanies = "industry_new_companies", Industry;
    /// Job openings matching a keyword.
    IndustryJobOpenings = "industry_job_openings", Industry;
}

impl RadarType {
    /// Whether `departments`, `seniorities` and `job_titles` narrow this type; elsewhere they are ignored (Spec 2.1).
    pub const fn is_filterable(self) -> bool {
        matches!(
            self,
            Self::CompanyJobOpenings | Self::CompanyNewHires | Self::CompanyPromotions | Self::CompanySocialPostsCxo
        )
    }
}

impl fmt::Display for RadarType {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::{Category, RadarType};

    #[test]
    fn spec_2_1_the_fifteen_types_with_their_categories_and_which_are_filterable() {
        let table = [
            (Category::Company, "company_job_openings", true),
            (Category::Company, "company_new_hires", true),
            (Category::Company, "company_promotions", true),
            (Category::Company, "company_social_posts_cxo", true),
            (Category::Company, "company_reviews", false),
            (Category::Company, "company_mentions", false),
            (Category::Company, "company_social_posts", false),
            (Category::Company, "company_social_engagements", false),
            (Category::Contact, "contact_job_changes", false),
            (Category::Contact, "contact_social_posts", false),
            (Category::Contact, "contact_social_engagements", false),
            (Category::Industry, "industry_mentions", false),
            (Category::Industry, "industry_funding_rounds", false),
            (Category::Industry, "industry_new_companies", false),
            (Category::Industry, "industry_job_openings", false),
        ];
        let built: Vec<_> =
            RadarType::ALL.iter().map(|one| (one.category(), one.as_str(), one.is_filterable())).collect();
        assert_eq!(built, table);
        for radar_type in RadarType::ALL {
            assert_eq!(radar_type.as_str().parse(), Ok(*radar_type));
        }
        for text in ["", "Company_Reviews", "company_reviews ", "company", "radar_created"] {
            assert!(text.parse::<RadarType>().is_err_and(|error| error.to_string().contains("industry_mentions")));
        }
    }
}
