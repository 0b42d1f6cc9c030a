//! Texts that cost the most to read of all headlines, names and texts with mentions that were tried.

/// What is repeated in each of them. The most costly of a length are those with many verbs and names: they stand first.
const PIECES: &[&str] = &[
    "named Ann Lee ",
    "é named Ann Lee ",
    "Élodie nommé ",
    "led by Quarry Capital and ",
    "Ann Lee steps down as ",
    "promoted to Vice President, ",
    "secures €5 Mio. ",
    "named Ann Lee CFO, ",
    "named ",
    "from A, B and ",
    "fires CEO Ann Lee ",
    "Acme names Ann Lee CEO ",
    "succeeds Ann Lee as CEO ",
    "joins Acme as CFO from ",
    "announces the appointment of ",
    "Acme lève 5 millions d'euros ",
    "Goldman Sachs and ",
    "raises $1m ",
    "$1m ",
    "as its new ",
    "to serve as Chief ",
    "Chief Vice President of ",
    "Acme's ",
    "Acme, Inc. ",
    "Ann, ",
    "J. R. ",
    "“\"' ",
    "( ",
    "- ",
    ": ",
    "A. ",
    "a.",
    "é ",
    "x",
    "Annabella-",
    "1,000",
    "1.1.",
    "€1 ",
    "a.bc%",
    "Seed ",
    "series a ",
    "ernennt Ann Lee ",
    "ficha a Ann Lee ",
    "nomme Ann Lee ",
    "wechselt zu ",
    "tritt zuruck ",
    "tritt im ",
    "new CFO: Ann Lee, ",
    "Ann Lee takes the helm at ",
    "strengthens team with Ann Lee ",
    "Nomination : ",
    "Ann Lee berufen ",
    "hires Acme's Stone from ",
    "300 millions ",
];

/// The texts, each about `bytes` long.
pub fn worst_headlines(bytes: usize) -> Vec<String> {
    let text = |piece: &&str| {
        let text = piece.repeat(bytes / piece.len() + 1);
        text[..text.floor_char_boundary(bytes)].to_owned()
    };
    PIECES.iter().map(text).collect()
}
