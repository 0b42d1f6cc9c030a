//! What headlines say when somebody takes or leaves a post, and what they say when nobody does.

use std::sync::LazyLock;

use regex::Regex;

use super::Move;
use super::phrases::Phrases;
use crate::text::folding::folded;
use crate::text::pattern::WordSet;

/// Verbs of one or several words, each list with what it means for the person.
pub type Verbs = Phrases<Move>;

/// Verbs that are names of people where they begin with a capital letter, as in German headlines verbs never do.
pub const NAMES_TOO: &[&str] = &["holt"];
/// Verbs of companies.
pub static COMPANY_VERBS: Verbs = Phrases::new(&[
    (
        Move::Hire,
        "appointment of|announces appointment of|announces the appointment of|appointments of|hire of|hiring of|\
         addition of|arrival of|election of|selection of|naming of|announces|announced|introduces|brings on|\
         brings in|brings aboard|brings back|brings|appointing|naming|appoints|appointed|appoint|reappoints|\
         re-appoints|names|named|hires|hired|taps|tapped|recruits|welcomes|adds|turns to|lands|lures|nabs|snags|\
         poaches|selects|picks|chooses|elects|installs|designates|engages|retains|secures|attracts|with new|\
         beruft|ernennt|bestellt|holt|verpflichtet|nomme|recrute|accueille|nombra a|nombra|designa a|ficha a|\
         ficha|incorpora a",
    ),
    (
        Move::Promotion,
        "promotion of|promotions of|promoting|promotes|promoted|elevates|ups|upped|upgrades|befordert|promeut|\
         asciende a",
    ),
]);
/// Verbs of people who come.
pub static JOINING: Verbs = Phrases::new(&[(
    Move::Hire,
    "to join|has joined|joins|joined|rejoins|returns to|moves to|rejoint|wechselt zu|wechselt zur|\
     wechselt zum|se incorpora a|ficha por|se une a",
)]);
/// Verbs that are done to people, or by which they take a post.
pub static PASSIVE: Verbs = Phrases::new(&[
    (
        Move::Hire,
        "has been appointed|has been named|is the new|is its new|is|takes|lands|wechselt als|has been elected|\
         is appointed|is named|is new|was named|was appointed|to become|becomes|appointed|appointed to|named|\
         named to|hired|hired as|tapped|tapped as|selected as|chosen as|installed as|elected|elected to|\
         nominated as|takes over as|returns as|to take over as|took over as|takes the helm as|takes helm as|\
         takes reins as|steps in as|steps into|assumes role of|assumes role as|assumes the role of|\
         assumes position of|starts as|begins as|to serve as|will serve as|to succeed as|new|wird neuer|\
         wird neue|wird|ist neuer|ist neue|neuer|neue|ubernimmt als|zum|zur|nommee|nomme|est nomme|est nommee|\
         devient|nombrada|nombrado|nuevo|nueva|asume como",
    ),
    (
        Move::Promotion,
        "has been promoted|is promoted|steps up as|steps up to|promoted|promoted to|upped to|elevated to|\
         elevated|promu|promue",
    ),
]);
/// Verbs of people who go.
pub static LEAVING: Verbs = Phrases::new(&[(
    Move::Departure,
    "to step down|will step down|steps down|stepping down|is stepping down|stepped down|steps aside|\
     to step aside|steps back|to stand down|stands down|to leave|is leaving|leaving|to depart|departing|\
     is departing|to retire|will retire|is retiring|announces retirement|announces his retirement|\
     announces her retirement|announces resignation|announces departure|to resign|has resigned|resigns|resigned|\
     departs|leaves|left|retires|exits|to exit|quits|to quit|ousted|fired|is out|out as|out after|relinquishes|\
     hands over|transitions from|transitioning from|verlasst|tritt zuruck|geht|scheidet|quitte|demissionne|\
     dimite|abandona|deja|renuncia",
)]);
/// Verbs of people who come in the place of others.
pub static SUCCEEDING: Verbs = Phrases::new(&[(
    Move::Hire,
    "to succeed|will succeed|succeeds|succeeded|to replace|will replace|replaces|replaced|takes over from|\
     to take over from|folgt auf|succede a|remplace|sucede a|sustituye a|reemplaza a",
)]);
/// Verbs and nouns of companies whose people go.
pub static DISMISSING: Verbs = Phrases::new(&[(
    Move::Departure,
    "fires|ousts|dismisses|sacks|removes|terminates|parts ways with|parts company with|loses|retirement of|\
     resignation of|departure of|exit of|stepping down of|says goodbye to|bids farewell to|trennt sich von|dimite|\
     entlasst",
)]);
/// What is announced of people who go.
pub static DEPARTURES: WordSet = WordSet::new(
    "changes transition update retirement resignation departure exit termination passing death search retires \
     resigns departs",
);
/// What follows the name of a company.
pub static AFTER_COMPANY: WordSet = WordSet::new(
    "as from after following to board advisory in amid als comme como effective leadership executive senior \
     management team with on ceo cfo chief president vice replacing succeeding who by next until bolstering \
     bringing over ahead announces names is has will was and-names -",
);
/// Words anywhere that make a headline something else: awards and lists, obituaries, courts, sport and questions.
const OTHER_NEWS: &str = "\
    40 under 40|30 under 30|under 40|forbes|award|awards|awarded|award winner|of the year|finalist|honoree|\
    honorees|honors|honored|hall of fame|most influential|most powerful|top 10|top 25|top 50|top 100|power 50|\
    best places to work|magic quadrant|dies|died|dead at|dead|death of|obituary|in memoriam|mourns|passing of|\
    passes away|remembers|remembered|tribute to|funeral|killed|arrested|charged|indicted|sentenced|convicted|\
    accused|alleges|sues|sued|secretary of state|secretary of defense|supreme court|attorney general|\
    prime minister|white house|brand ambassador|ambassador to|spokesmodel|national team|city council|\
    school board|school district|police chief|fire chief|chief of police|chief justice|head coach|\
    sporting director|director deportivo|directeur sportif|sportdirektor|fc|cf|director of football|\
    assistant coach|quarterback|striker|goalkeeper|midfielder|defender|wide receiver|linebacker|roster|squad|\
    draft pick|offensive coordinator|defensive coordinator|referee|baby|suspect|victim|movie|sequel|season|\
    cast of|cast as|joins cast|box office|oscars|oscar winner|grammy|emmy|nobel|to host|to keynote|to speak|\
    to present|keynote speaker|keynote|webinar|podcast|fireside chat|conference call|call for|calls for|\
    calls on|urges|demands|denies|rumored|rumoured|pressure on|could|might|interview with|interview|q&a|\
    opinion|how to|questions for|sells shares|buys shares|stock sale|net worth";
/// Who gives posts that are no jobs at a company; as the first words of a headline.
const OTHER_GIVERS: &str = "\
    senate|senator|congress|parliament|president|trump|biden|obama|putin|modi|governor|gov|mayor|minister|\
    ministry|pope|king|queen|prince|princess|vatican|diocese|cabinet|un|judge|court|prosecutor|prosecutors|\
    democrats|republicans|gop|labour|tories|city council|council|club|rovers|police|army|navy|pentagon|\
    white house|house panel|voters|jury|government|govt|state department|county appoints|county names|pta|\
    rotary|kiwanis|chef|fed";
/// Posts that are no jobs at a company.
const OTHER_POSTS: &str = "\
    ambassador|archbishop|bishop|cardinal|captain|coach|commissioner of baseball|congressman|congresswoman|\
    consul|deacon|governor|head of state|judge|justice|lieutenant|magistrate|mayor|minister|pastor|premier of|\
    quarterback|senator|sheriff|superintendent|speaker of|special envoy|envoy|fed chair|fed chairman|\
    secretary-general|secretary general|city manager|county manager|defense secretary|treasury secretary|\
    health secretary|home secretary|foreign secretary|education secretary|energy secretary|labor secretary|\
    commerce secretary|transport secretary|majority leader|minority leader|grand marshal|poet laureate";

/// All of these at once, in a headline with a blank before and behind each word.
static OTHER: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(&format!("^ (?:{OTHER_GIVERS}) | (?:{OTHER_NEWS}|{OTHER_POSTS}) ")).ok());

/// Whether `headline` tells of something else.
pub fn is_of_other_news(headline: &str) -> bool {
    let words = folded(headline).replace(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '-' | '&'), " ");
    let words = format!(" {} ", words.split_whitespace().collect::<Vec<_>>().join(" "));
    let is_question = headline.trim_end().ends_with('?')
        || ["how ", "why ", "what ", "who ", "meet ", "inside ", "five ", "10 ", "top "]
            .iter()
            .any(|word| words.trim_start().starts_with(word));
    is_question || OTHER.as_ref().is_some_and(|other| other.is_match(&words))
}
