//! Which findings of a filterable radar are wanted (Spec 2.3, 2.7).

use crate::domain::closed;
use crate::domain::radar::title_expression::TitleExpression;

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

/// A part of a filter, by the name of its field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilterPart {
    /// `departments`.
    Departments,
    /// `seniorities`.
    Seniorities,
    /// `job_titles`.
    JobTitles,
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

impl Filter {
    /// Whether a finding about `role` is wanted (Spec 2.7).
    pub fn matches(&self, role: &Role) -> bool {
        match self {
            Self::Everything => true,
            Self::Persona { departments, seniorities } => {
                overlaps(departments, &role.departments) && overlaps(seniorities, &role.seniorities)
            }
            Self::JobTitles(expression) => expression.matches(&role.title),
        }
    }

    /// The parts that keep out a finding about `role`, each by itself; none when it is wanted.
    pub fn parts_against(&self, role: &Role) -> Vec<FilterPart> {
        let parts = match self {
            Self::Everything => Vec::new(),
            Self::Persona { departments, seniorities } => vec![
                (FilterPart::Departments, overlaps(departments, &role.departments)),
                (FilterPart::Seniorities, overlaps(seniorities, &role.seniorities)),
            ],
            Self::JobTitles(expression) => vec![(FilterPart::JobTitles, expression.matches(&role.title))],
        };
        parts.into_iter().filter(|(_, is_wanted)| !is_wanted).map(|(part, _)| part).collect()
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
