//! Makes `departments.model`: linear support vector machines, one for each department against all others.
//!
//! `just train-titles` writes it and prints what it is worth. The labelled titles are learned from with what the tables say
//! of them, the phrases of the tables as titles of their own. Only sums, products and quotients are taken, in one order, so
//! that the same bytes come out everywhere.

use std::collections::{BTreeMap, BTreeSet};

use crate::classification::departments::{Basis, Reading, TABLE, read};
use crate::classification::linear_model::{
    ALWAYS, DEPARTMENTS, READING_FEATURES, WEIGHTS, WORD_FEATURES, basis_feature, department_feature, features, weigh,
};
use crate::classification::vocabulary::rows;
use crate::classification::words::parts;
use domain::radar::filter::Department;

const TITLES: [(&str, f64); 2] = [
    (include_str!("../../../../tests/labelled/train_titles.tsv"), 1.0),
    // The tables were made from these, so that they look more trustworthy there than they are.
    (include_str!("../../../../tests/labelled/tuned_titles.tsv"), 0.7),
];
const FEATURES: usize = READING_FEATURES + WORD_FEATURES;
/// What a phrase of the tables counts beside a title.
const PHRASE: f64 = 0.2;
/// What an error costs, in comparison with large weights.
const COST: f64 = 0.03;
/// What the features of the reading count beside those of words.
const READING: f64 = 2.0;
/// How often all examples are looked at.
const ROUNDS: usize = 6;
/// How much below the middle a title still is of a department, since most titles are not of it.
const LENIENCE: f64 = 0.2;
/// How much surer than the rows teach a department must be that the tables do not name where they know the role in a
/// title's head: words beside it are mostly of customers and products (decision 6.2).
const TRUST: f64 = 0.3;
/// Into how many parts a margin is cut, where weights become bytes.
const SCALE: f64 = 64.0;
/// In how many parts the origins are judged by a model of the others.
const FOLDS: usize = 4;

/// A title that is learned from.
#[derive(Clone)]
struct Example<'a> {
    features: Vec<usize>,
    departments: BTreeSet<Department>,
    reading: Reading,
    origin: &'a str,
    cost: f64,
}

fn titles(table: &str, weight: f64) -> impl Iterator<Item = Example<'_>> {
    table.lines().filter(|line| !line.starts_with('#')).map(move |line| {
        let columns: Vec<&str> = line.split('\t').collect();
        let title = parts(columns[0]);
        let reading = read(&title);
        Example {
            features: features(&title, &reading),
            departments: columns[1].split(", ").filter_map(|label| label.parse().ok()).collect(),
            reading,
            origin: columns[3],
            cost: weight * COST,
        }
    })
}

fn phrases() -> impl Iterator<Item = Example<'static>> {
    let mut phrases: BTreeMap<String, BTreeSet<Department>> = BTreeMap::new();
    for (_, label, names) in rows(TABLE).into_iter().filter(|(section, ..)| *section != "ranks") {
        for name in names {
            phrases.entry(name.replace('*', "")).or_default().extend(label.parse::<Department>());
        }
    }
    phrases.into_iter().map(|(phrase, departments)| {
        let mut features = features(&parts(&phrase), &Reading::default());
        features.retain(|feature| *feature == ALWAYS || *feature >= READING_FEATURES);
        Example { features, departments, reading: Reading::default(), origin: "", cost: PHRASE * COST }
    })
}

fn examples() -> Vec<Example<'static>> {
    TITLES.into_iter().flat_map(|(table, weight)| titles(table, weight)).chain(phrases()).collect()
}

/// The bytes of the model that is made of `examples`.
fn train(examples: &[Example<'_>]) -> Vec<u8> {
    let mut model = vec![0; FEATURES * DEPARTMENTS];
    for department in Department::ALL {
        for (feature, weight) in separate(examples, *department).into_iter().enumerate() {
            let steps = ((weight * value(feature) + given(feature, *department)) * SCALE).round();
            model[feature * DEPARTMENTS + *department as usize] = (steps.clamp(-127.0, 127.0) as i8).cast_unsigned();
        }
    }
    model
}

/// What a feature weighs for a department before anything is learned.
fn given(feature: usize, department: Department) -> f64 {
    match feature {
        ALWAYS => LENIENCE,
        of_role if of_role == basis_feature(Basis::Role) => -TRUST,
        said if said == department_feature(department) => TRUST,
        _ => 0.0,
    }
}

fn value(feature: usize) -> f64 {
    if feature < READING_FEATURES { READING } else { 1.0 }
}

/// The weights that part the examples of `department` from others: dual coordinate descent with squared errors (Hsieh
/// and others, A Dual Coordinate Descent Method for Large-scale Linear SVM, 2008).
fn separate(examples: &[Example<'_>], department: Department) -> Vec<f64> {
    let mut weights = vec![0.0; FEATURES];
    let mut multipliers = vec![0.0; examples.len()];
    let mut order: Vec<usize> = (0..examples.len()).collect();
    let mut state = 1_u64;
    for _ in 0..ROUNDS {
        for at in (1..order.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            order.swap(at, (state >> 33) as usize % (at + 1));
        }
        for &at in &order {
            let Example { features, departments, cost, .. } = &examples[at];
            let sign = if departments.contains(&department) { 1.0 } else { -1.0 };
            let (mut score, mut square) = (0.0, 0.5 / cost);
            let gradient_of_error = square * multipliers[at];
            for &feature in features {
                score += weights[feature] * value(feature);
                square += value(feature) * value(feature);
            }
            let gradient = sign * score - 1.0 + gradient_of_error;
            let next = f64::max(multipliers[at] - gradient / square, 0.0);
            let step = sign * (next - multipliers[at]);
            multipliers[at] = next;
            if step != 0.0 {
                features.iter().for_each(|&feature| weights[feature] += step * value(feature));
            }
        }
    }
    weights
}

/// The mean F1 of the departments that are found in titles.
fn macro_f1(pairs: &[(BTreeSet<Department>, BTreeSet<Department>)]) -> f64 {
    let f1 = |department: &Department| {
        let count = |is: bool, found: bool| {
            let here = |(wanted, read): &&(BTreeSet<Department>, BTreeSet<Department>)| {
                wanted.contains(department) == is && read.contains(department) == found
            };
            pairs.iter().filter(here).count() as f64
        };
        let right = count(true, true);
        2.0 * right / (2.0 * right + count(true, false) + count(false, true)).max(1.0)
    };
    Department::ALL.iter().map(f1).sum::<f64>() / DEPARTMENTS as f64
}

#[test]
fn the_model_is_what_its_rows_make() {
    let examples = examples();
    let model = train(&examples);
    if std::env::var_os("TRAIN_TITLES").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/classification/departments.model");
        std::fs::write(path, model).unwrap();
        print_worth(&examples);
    } else {
        assert!(model == WEIGHTS, "`just train-titles` makes it anew");
    }
}

/// Prints how well titles of some origins are read by a model of all others.
fn print_worth(examples: &[Example<'_>]) {
    let trained_on: BTreeSet<&str> = titles(TITLES[0].0, 1.0).map(|title| title.origin).collect();
    let (mut by_tables, mut by_model) = (Vec::new(), Vec::new());
    for fold in 0..FOLDS {
        let held: BTreeSet<&str> = trained_on.iter().copied().skip(fold).step_by(FOLDS).collect();
        let (held, others): (Vec<Example<'_>>, Vec<Example<'_>>) =
            examples.iter().cloned().partition(|example| held.contains(example.origin));
        let model = train(&others);
        for Example { features, departments, reading, .. } in held {
            by_tables.push((departments.clone(), reading.departments.iter().copied().collect()));
            by_model.push((departments, weigh(&features, reading, &model).into_iter().collect()));
        }
    }
    println!("departments of {} titles of origins that the model does not know, macro-F1:", by_model.len());
    println!("tables {:.3}, with the model {:.3}", macro_f1(&by_tables), macro_f1(&by_model));
}
