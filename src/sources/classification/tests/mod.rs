//! What titles are read as by tables and model together.

mod training;

use super::departments_of;
use domain::radar::filter::Department::*;

#[test]
fn decision_6_2_the_head_of_a_title_decides() {
    for (title, departments) in [
        ("Product Manager, Support Experience", &[ProductManagement][..]),
        ("Account Executive, Legal Tech", &[Sales]),
        ("Executive Assistant to the CEO", &[Administrative]),
        ("VP, Sales & Marketing", &[Marketing, Sales]),
        ("Store Manager", &[]),
        ("Make it happen", &[]),
        ("", &[]),
    ] {
        assert_eq!(departments_of(title, &[]), departments, "{title}");
    }
}

#[test]
fn words_that_no_table_has_are_weighed() {
    assert_eq!(departments_of("Softwareprogrammierung im Praktikum", &[]), [Engineering]);
    assert_eq!(departments_of("Vendedor equipos médicos", &[]), [Sales]);
}

#[test]
fn the_sources_own_words_count_where_the_title_says_nothing() {
    let words = ["1654 Account Executives".into(), "Marketing".into()];
    assert_eq!(departments_of("Lead, Nordics", &words), [Marketing, Sales]);
    assert_eq!(departments_of("Analyst", &["Product".into()]), [ProductManagement]);
    assert_eq!(departments_of("Analyst", &["Finance & Strategy".into()]), [Finance]);
    assert_eq!(departments_of("Recruiter", &["Engineering".into()]), [HumanResources]);
}
