//! Which findings of a filterable radar are wanted (Spec 2.3, 2.7).

use crate::closed;
use crate::radar::title_expression::TitleExpression;

closed! {
    /// A part of a company (Spec 2.3).
    #[expect(missing_docs, reason = "the variants are the specification's own words")]
    Department {
        Accounting = "Accounting",
        Administrative = "Administrative",
        BusinessDevelopment = "Business Development",
        Consulting = "Consulting",
        CustomerSuccess = "Customer Success",
        Design = "Design",
        Education = "Education",
        Engineering = "Engineering",
        Finance = "Finance",
        HumanResources = "Human Resources",
        InformationTechnology = "Information Technology",
        Legal = "Legal",
        Manufacturing = "Manufacturing",
        Marketing = "Marketing",
        MediaAndCommunication = "Media and Communication",
        Operations = "Operations",
        ProductManagement = "Product Management",
        ProjectManagement = "Project Management",
        Purchasing = "Purchasing",
        QualityAssurance = "Quality Assurance",
        RealEstate = "Real Estate",
        Research = "Research",
        Sales = "Sales",
        Support = "Support",
    }
}

closed! {
    /// A rank in a company (Spec 2.3).
    #[expect(missing_docs, reason = "the variants are the specification's own words")]
    Seniority {
        Owner = "Owner",
        Cxo = "CXO",
        VicePresident = "Vice President",
        Director = "Director",
        Manager = "Manager",
        Senior = "Senior",
        Entry = "Entry",
        Training = "Training",
        Partner = "Partner",
    }
}

/// Which fields of a filter keep a finding out, each by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeptOutBy {
    /// `departments`.
    pub departments: bool,
    /// `seniorities`.
    pub seniorities: bool,
    /// `job_titles`.
    pub job_titles: bool,
}

/// What is known of the role that a finding is about: a job, or somebody's work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Role {
    /// The title, in the source's words.
    pub title: String,
    /// The departments that it belongs to.
    pub departments: Vec<Department>,
    /// The ranks that the title speaks of.
    pub seniorities: Vec<Seniority>,
}

/// The filter of a radar. A job title expression replaces the two lists; they never stand together (Spec 2.7).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Filter {
    /// Every finding is wanted.
    Everything,
    /// Values within a list are OR-ed, the two lists are AND-ed; an empty list does not filter.
    Persona {
        /// Wanted departments.
        departments: Vec<Department>,
        /// Wanted ranks.
        seniorities: Vec<Seniority>,
    },
    /// The title must satisfy the expression.
    JobTitles(TitleExpression),
}

/// The fields of a filter; what it does not say is absent or empty.
#[derive(Clone, Copy, Debug, Default)]
pub struct FilterFields<'a> {
    /// Wanted departments.
    pub departments: &'a [Department],
    /// Wanted ranks.
    pub seniorities: &'a [Seniority],
    /// The expression over titles.
    pub job_titles: Option<&'a str>,
}

impl Filter {
    /// Its fields.
    pub fn fields(&self) -> FilterFields<'_> {
        match self {
            Self::Everything => FilterFields::default(),
            Self::Persona { departments, seniorities } => FilterFields { departments, seniorities, job_titles: None },
            Self::JobTitles(expression) => {
                FilterFields { job_titles: Some(expression.as_str()), ..FilterFields::default() }
            }
        }
    }

    /// Whether a finding about `role` is wanted (Spec 2.7).
    pub fn matches(&self, role: &Role) -> bool {
        self.keeps_out(role) == KeptOutBy::default()
    }

    /// Which fields keep out a finding about `role`; none when it is wanted.
    pub fn keeps_out(&self, role: &Role) -> KeptOutBy {
        match self {
            Self::Everything => KeptOutBy::default(),
            Self::Persona { departments, seniorities } => KeptOutBy {
                departments: !overlaps(departments, &role.departments),
                seniorities: !overlaps(seniorities, &role.seniorities),
                job_titles: false,
            },
            Self::JobTitles(expression) => {
                KeptOutBy { job_titles: !expression.matches(&role.title), ..KeptOutBy::default() }
            }
        }
    }
}

fn overlaps<T: PartialEq>(wanted: &[T], present: &[T]) -> bool {
    wanted.is_empty() || wanted.iter().any(|value| present.contains(value))
}

#[cfg(test)]
mod tests {
    use super::{Department, Filter, Role, Seniority};

    #[test]
    fn spec_2_7_lists_are_or_within_and_and_between() {
        let role = Role {
            title: "Senior Engineer".into(),
            departments: vec![Department::Engineering],
            seniorities: vec![Seniority::Senior],
        };
        for (departments, seniorities, wanted) in [
            (vec![], vec![], true),
            (vec![Department::Engineering, Department::Sales], vec![], true),
            (vec![Department::Sales], vec![], false),
            (vec![Department::Engineering], vec![Seniority::Senior, Seniority::Cxo], true),
            (vec![Department::Engineering], vec![Seniority::Cxo], false),
        ] {
            let filter = Filter::Persona { departments, seniorities };
            assert_eq!(filter.matches(&role), wanted, "{filter:?}");
        }
    }

    #[test]
    fn spec_2_3_the_vocabularies_are_whole_and_nothing_else_is_in_them() {
        const DEPARTMENTS: &str = "Accounting, Administrative, Business Development, Consulting, Customer Success, \
            Design, Education, Engineering, Finance, Human Resources, Information Technology, Legal, Manufacturing, \
            Marketing, Media and Communication, Operations, Product Management, Project Management, Purchasing, \
            Quality Assurance, Real Estate, Research, Sales, Support";
        const SENIORITIES: &str = "Owner, CXO, Vice President, Director, Manager, Senior, Entry, Training, Partner";
        assert_eq!(
            (Department::WORDS.join(", "), Seniority::WORDS.join(", ")),
            (DEPARTMENTS.into(), SENIORITIES.into())
        );
        for text in ["", "sales", "SALES", " Sales", "Media & Communication", "cxo", "VP", "Vice president", "Any"] {
            let department = text.parse::<Department>().map_err(|error| error.to_string());
            let seniority = text.parse::<Seniority>().map_err(|error| error.to_string());
            assert_eq!(department, Err(format!("must be one of {DEPARTMENTS}")), "{text}");
            assert_eq!(seniority, Err(format!("must be one of {SENIORITIES}")), "{text}");
        }
    }
}
