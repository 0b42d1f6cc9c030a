//! What one reading holds in memory at most, whatever it reads. The allocator counts it, so that it is the same in every
//! run.

use std::io::Write;

use flate2::Compression;
use flate2::write::DeflateEncoder;

use crate::pieces::of_one;
use crate::readers::{Around, READERS, Read};

const MIB: usize = 1024 * 1024;
/// Long enough for all that is bounded to reach its bound.
const LONG: usize = 2 * MIB;
/// What one reading may hold beside the document: a value of all the memory that one may have, and what it is made from.
const HELD_MAX: usize = 160 * MIB;
/// What short documents may hold, for each of their bytes: an element of four bytes is an object.
pub(super) const HELD_PER_BYTE: usize = 300;
/// And besides.
pub(super) const HELD_ANYWAY: usize = 6 * MIB;
/// What a document that is four times as long may take beyond six times as much, all together: what is not linear takes
/// sixteen times as much.
const TAKEN_ANYWAY: u64 = 128 * 1024;

/// Of sentences, which are cut first, much is made, little of it at once; rows within rows hold the same elements, for which
/// there are so many steps.
const NOT_LINEAR: &[&str] = &["announcement", "filing", "headline", "html", "person_name"];

fn reader(name: &str) -> Read {
    READERS.iter().find(|(known, _)| *known == name).map(|(_, read)| *read).unwrap_or_else(|| panic!("no {name}"))
}

/// The most that `read` holds at once while it reads `body`, in bytes.
pub(super) fn held(around: &Around, read: Read, body: &[u8]) -> usize {
    usize::try_from(allocation_counter::measure(|| read(around, body)).bytes_max).unwrap()
}

pub(super) fn zip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(plain).unwrap();
    // With its sum behind the data, which is not read.
    let mut archive = b"PK\x03\x04\x14\0\x08\0\x08\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0".to_vec();
    archive.extend(encoder.finish().unwrap());
    archive
}

/// `piece` until there are `bytes`, behind `before`.
fn long(before: &str, piece: &str, bytes: usize) -> Vec<u8> {
    let mut text = before.to_owned();
    while text.len() + piece.len() <= bytes {
        text.push_str(piece);
    }
    text.into_bytes()
}

#[test]
fn no_document_takes_more_memory_than_a_reading_may() {
    let around = Around::new().unwrap();
    let letters = || ('a'..='z').chain('0'..='9');
    let attributes: String = letters().flat_map(|one| [format!(" {one}"), format!(" {one}x")]).take(64).collect();
    let names: String = (0..1_000).map(|number| format!("{}{number},", "a long name ".repeat(300))).collect();
    let nested = format!("<li>{}{}", "<div class=job>".repeat(250), "<p>x</p>".repeat(120));
    let mut missed = Vec::new();
    for (name, body) in [
        ("packed_tsv", zip(&vec![b'\t'; 63 * MIB])),
        ("packed_tsv", zip(&long("", "1\t2\t3\n", 4 * LONG))),
        ("csv", long("", ",", LONG)),
        ("csv", long("", "a,\n", LONG)),
        ("csv", long("\"", "x", LONG)),
        ("csv", long(&format!("{names}\n"), "1,2,3,4,5,6,7,8,9\n", LONG)),
        ("xml", long("", "<a>", LONG)),
        ("xml", long("<r>", "<a/>", LONG)),
        ("xml", long("<r>", "<a b='c'/>", LONG)),
        ("xml", long("<r>", "<a><b><c/></b></a>", LONG)),
        ("xml", long("<r ", "a='b' ", LONG)),
        ("feed", long("<rss><channel>", "<item><guid>1</guid></item>", LONG)),
        ("feed", long("<rss><channel>", "<item><a><b/></a></item>", LONG)),
        ("feed", long("<rss><channel><item><description>", "x", LONG - 50)),
        ("feed", [long("<feed><entry><content>", "<a>x</a>", MIB / 2), b"</content></entry></feed>".to_vec()].concat()),
        ("json", long("[", "[],", LONG)),
        ("json", [long("[", "[],", MIB * 18 / 10), b"1]".to_vec()].concat()),
        ("json", [long("[", "{\"a\":1},", MIB), b"1]".to_vec()].concat()),
        ("json", [long("[", "{\"a\":{\"b\":1}},", MIB), b"1]".to_vec()].concat()),
        ("json", [long("[", "1,", MIB * 13 / 10), b"1]".to_vec()].concat()),
        ("json_lines", long("", "{}\n", LONG)),
        ("json_path", [long("{\"a\":[", "{\"b\":[[1]]},", MIB / 4), b"1]}".to_vec()].concat()),
        ("html", long("", &format!("<p{attributes}>"), LONG)),
        ("html", nested.repeat(12).into_bytes()),
        ("html", long("", "<li>", LONG)),
        ("team_page", long("", &format!("<p{attributes}>"), LONG)),
        ("team_page", long("", "<li><b>Ann Lee</b>, CEO</li>", LONG)),
        ("page", long("", "<a href=x>y</a>", LONG)),
        ("page", long("<script>'", "https://a.example\\/ ", LONG)),
        ("page", long("", "<script type=application/ld+json>[[],[],[],[]]</script>", LONG)),
        ("sitemap", long("<urlset>", "<url><loc>x</loc></url>", LONG)),
        ("plain_text", long("", "&lt;p&gt;", LONG)),
        ("plain_text", long("", "a ", LONG)),
        ("plain_text", long("", "a\n", LONG)),
        ("team_page", long("", "a ", LONG)),
        ("team_page", long(&format!("<div class='{}'>", "x".repeat(MIB / 4)), "<p>Ann Lee</p>", LONG)),
        ("team_page", long("", "<p>a</p>", MIB)),
        ("mention", long("", "a ", MIB / 4)),
    ] {
        let read = reader(name);
        // What is made once and stays is not of this document.
        read(&around, &body[..body.len().min(1_024)]);
        let held = held(&around, read, &body);
        let beginning = String::from_utf8_lossy(&body[..body.len().min(40)]).into_owned();
        if std::env::var("SHOW").is_ok() {
            println!("{name} {} MiB: {beginning:?}", held / MIB);
        }
        if held > HELD_MAX {
            missed.push(format!("{name}: {} MiB for {beginning:?}", held / MIB));
        }
    }
    assert_eq!(missed, Vec::<String>::new());
}

#[test]
fn what_a_reading_takes_grows_with_the_document_alone() {
    let around = Around::new().unwrap();
    let mut missed = Vec::new();
    for (name, read) in READERS.iter().filter(|(name, _)| !NOT_LINEAR.contains(name)) {
        // What is made once and stays is not of this document.
        of_one(name).iter().for_each(|recipe| read(&around, recipe.document(64).as_bytes()));
        for recipe in of_one(name) {
            let [short, long] = [512, 2_048].map(|bytes| {
                let document = recipe.document(bytes);
                let taken = allocation_counter::measure(|| read(&around, document.as_bytes()));
                (document, taken.bytes_max, taken.bytes_total)
            });
            let (document, held, taken) = &long;
            if usize::try_from(*held).unwrap() > HELD_ANYWAY + HELD_PER_BYTE * document.len()
                || *taken > 6 * short.2 + TAKEN_ANYWAY
            {
                let beginning = &document[..document.floor_char_boundary(60)];
                missed.push(format!("{name}: {held} held, {taken} taken, {} of a quarter: {beginning:?}", short.2));
            }
        }
    }
    assert_eq!(missed, Vec::<String>::new());
}
