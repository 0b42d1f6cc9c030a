//! What headlines cost, in steps: no more for twice as long a text than twice as much, whatever it says.

use super::{announced_funding, announced_move, funding, moves_in_sentences, person_move, person_name};
use crate::mentions::Mentioned;
use crate::worst_headlines::worst_headlines;
use outbound::reading::steps_of;

/// A step for each few letters, and what any text takes.
const STEPS_PER_BYTE: u64 = 12;
const STEPS_OF_ANY: u64 = 700;

fn mentioned() -> Mentioned {
    Mentioned {
        name: Some("Acme Lee".into()),
        domain: Some("acme.example".into()),
        ticker: Some("ACM".into()),
        signs: vec!["Ann Lee".into(), "Goldman Sachs".into()],
        ..Mentioned::default()
    }
}

type Reader = fn(&str);

/// All that reads a text, by what it is called.
fn readers() -> [(&'static str, Reader); 6] {
    [
        ("move", |text| drop(person_move(text))),
        ("funding", |text| drop(funding(text))),
        ("name", |text| drop(person_name(text))),
        ("document", |text| drop(moves_in_sentences(text))),
        ("announcement", |text| drop((announced_move(text, text), announced_funding(text, text)))),
        ("mention", |text| {
            mentioned().evidence(&[text.to_owned()], &[]);
        }),
    ]
}

#[test]
fn a_text_costs_what_it_is_long_whatever_it_says() {
    let mut dear = Vec::new();
    for bytes in [100, 400, 2_000, 64_000] {
        for text in worst_headlines(bytes) {
            for (name, read) in readers() {
                let steps = steps_of(|| read(&text));
                let most = STEPS_OF_ANY + STEPS_PER_BYTE * bytes as u64;
                dear.extend((steps > most).then(|| format!("{name} {:.20}, {bytes} bytes: {steps} > {most}", text)));
            }
        }
    }
    assert!(dear.is_empty(), "{dear:#?}");
}

#[test]
fn twice_the_text_takes_at_most_twice_the_steps() {
    for (once, twice) in worst_headlines(800).iter().zip(worst_headlines(1_600)) {
        for (name, read) in readers() {
            let [once_steps, twice_steps] = [once, &twice].map(|text| steps_of(|| read(text)));
            assert!(twice_steps <= 2 * once_steps + STEPS_OF_ANY, "{name} {:.20}: {once_steps}, {twice_steps}", once);
        }
    }
}
