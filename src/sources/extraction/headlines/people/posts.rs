//! Posts in headlines: which words name one, where it begins and where it ends.

use super::words::{POST_ENDS, bare, find, is_one_of};
use crate::sources::text::folding::folded;

/// What stands between the person and the post.
const AS: &[&str] = &[
    "as its new",
    "as its",
    "as the",
    "as new",
    "as a",
    "as an",
    "as",
    "to the role of",
    "to the position of",
    "to its",
    "to",
    "its new",
    "its",
    "zum",
    "zur",
    "zu",
    "als",
    "comme",
    "au poste de",
    "como",
    "the",
];
/// How a post begins or ends.
pub const POST_WORDS: &[&str] = &[
    "accountant",
    "administrator",
    "analyst",
    "architect",
    "associate",
    "ceo",
    "cfo",
    "chair",
    "chairman",
    "chairperson",
    "chairwoman",
    "chief",
    "cio",
    "ciso",
    "cmo",
    "co-ceo",
    "co-head",
    "commercial",
    "controller",
    "coo",
    "cpo",
    "cro",
    "cto",
    "counsel",
    "country",
    "deputy",
    "designer",
    "director",
    "editor",
    "engineer",
    "evp",
    "executive",
    "finanzchef",
    "finanzchefin",
    "founder",
    "geschäftsführer",
    "geschäftsführerin",
    "head",
    "interim",
    "leader",
    "lead",
    "leiter",
    "leiterin",
    "manager",
    "managing",
    "officer",
    "owner",
    "partner",
    "president",
    "principal",
    "recruiter",
    "regional",
    "scientist",
    "secretary",
    "senior",
    "svp",
    "treasurer",
    "vice",
    "vorstand",
    "vorstandschef",
    "vorstandschefin",
    "vp",
    "directeur",
    "directrice",
    "président",
    "présidente",
    "consejero",
    "consejera",
    "directora",
    "presidente",
    "presidenta",
    "chefin",
    "chef",
    "advisor",
    "adviser",
    "boss",
    "member",
];
/// Posts that are complete in one word.
const WHOLE_POSTS: &[&str] = &[
    "ceo",
    "cfo",
    "coo",
    "cto",
    "cmo",
    "cio",
    "ciso",
    "cpo",
    "cro",
    "chairman",
    "chairwoman",
    "chair",
    "president",
    "director",
    "partner",
    "principal",
    "treasurer",
    "controller",
    "vp",
    "svp",
    "evp",
    "co-ceo",
    "founder",
    "finanzchef",
    "finanzchefin",
    "vorstandschef",
    "vorstandschefin",
    "geschäftsführer",
    "geschäftsführerin",
    "directeur",
    "directrice",
    "présidente",
    "président",
    "presidente",
    "presidenta",
    "directora",
    "boss",
    "manager",
    "head",
    "chef",
    "chefin",
];
/// `words` without what leads to a post.
pub fn without_as<'a, 'b>(words: &'a [&'b str]) -> &'a [&'b str] {
    let lead = AS.iter().filter(|lead| find(words, lead) == Some(0)).map(|lead| lead.split(' ').count()).max();
    &words[lead.unwrap_or(0)..]
}

/// The post at the beginning of `words`; `None` where no post begins there.
pub fn post(words: &[&str]) -> Option<String> {
    let words = match words {
        [first, rest @ ..] if is_one_of(first, &["new", "its"]) => rest,
        words => words,
    };
    let mut taken: Vec<&str> = Vec::new();
    for word in words.iter().take(12) {
        let has_post = taken.iter().any(|word| is_one_of(word, POST_WORDS));
        if has_post && is_one_of(word, POST_ENDS) && !continues(&taken, word) {
            break;
        }
        taken.push(word);
        if word.ends_with([',', ';', ':', '.', '|'])
            && !word.eq_ignore_ascii_case("sr.")
            && !word.eq_ignore_ascii_case("jr.")
        {
            break;
        }
    }
    while taken.last().is_some_and(|word| is_one_of(word, POST_ENDS)) {
        taken.pop();
    }
    let is_post = taken.iter().any(|word| is_one_of(word, POST_WORDS));
    let begins = taken.first().is_some_and(|word| word.chars().next().is_some_and(char::is_alphanumeric));
    let title = taken.join(" ");
    let title = title.trim_end_matches([',', ';', ':', '.', '|']).trim();
    (is_post && begins && title.len() > 1).then(|| title.to_owned())
}

/// `Head of Sales`, `Vice President of Finance`, `Chief of Staff` and `President and CEO` go on; `CEO of Acme` does not.
fn continues(taken: &[&str], word: &str) -> bool {
    let last = taken.last().map(|word| bare(word)).unwrap_or_default();
    match bare(word).as_str() {
        "of" | "for" | "de" | "del" => {
            let is_vice = last == "president" && taken.iter().any(|word| bare(word) == "vice");
            let is_whole = matches!(last.as_str(), "officer" | "counsel" | "executive")
                || WHOLE_POSTS.iter().any(|post| folded(post) == last);
            is_vice || !is_whole || matches!(last.as_str(), "head" | "director" | "vp" | "svp" | "evp" | "manager")
        }
        "and" => true,
        _ => false,
    }
}

/// The post behind one of `leads`.
pub fn post_behind(words: &[&str], leads: &[&str]) -> Option<String> {
    let at = words.iter().position(|word| is_one_of(word, leads))?;
    post(without_as(&words[at..]))
}

/// Whether `words` name a post.
pub fn former_post(words: &[&str]) -> bool {
    words.iter().any(|word| is_one_of(word, POST_WORDS))
}
