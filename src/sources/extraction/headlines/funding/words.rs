//! What headlines say when money is raised, and what they say when something else is.

use crate::text::pattern::{PlainPattern, WordSet};

/// Verbs that mean a round by themselves.
pub const RAISING: &str = r"raises|raised|raise|has raised|have raised|to raise|rakes in|raked in|sammelt|sammelte|lève|a levé|levanta|recauda|capta";
/// Verbs that mean a round where the words of one stand behind them, or where the money has a purpose.
pub const TAKING: &str = r"secures|secured|closes|closed|lands|landed|bags|bagged|nabs|nabbed|snags|snagged|scores|scored|grabs|grabbed|picks up|picked up|pulls in|pulled in|nets|netted|hauls in|hauled in|draws|clinches|wraps up|wraps|reels in|reeled in|banks|pockets|reaps|collects|garners|gathers|lines up|racks up|scoops up|scoops|hauls|attracts|attracted|locks in|amasses|snares|mops up|erhält|sichert sich|chiude|raccoglie|ottiene|bekommt|holt sich|holt|obtient|boucle|cierra|consigue|obtiene|logra";
/// Verbs that say nothing without the words of a round.
pub const TELLING: &str = r"gets|got|gains|gained|receives|received|completes|completed|concludes|concluded|announces|announced|confirms|confirmed|wins|won|obtains|obtained|adds|added|extends|extended|expands|increases|tops up|finalizes|finalises|fetches|snaps up|reports|unveils|celebrates|welcomes|schließt|annonce|réalise|anuncia";
/// A company that shows itself with money of investors.
pub const APPEARING: &str = r"emerges?|emerged|launche[sd]|debuts?|debuted|exits?|exited|comes out|steps out|unstealths|kicks off|starts|relaunches|reaches|reached|hits|achieves|attains|becomes|joins|doubles|triples|quadruples|soars to|valued|now valued|now worth|worth";

/// What stands between the verb and the money or the round, whole words and folded.
pub static BETWEEN: WordSet = WordSet::new(
    "a about additional all almost an and another approximately around as at big capital close closing closure \
     combined completion cool early equity extended extra final financing first follow-on fresh from fund-raise \
     funding fundraise fundraising further growth growth-stage half has hefty huge impressive in initial inr \
     investment it its just landmark large largest latest least long-awaited massive maiden mega minority more \
     nearly new of on over oversubscribed over-subscribed outside pre-ipo preferred raise raised raising record \
     record-breaking round roughly second securing secured series seed seed-stage seed-extension pre-seed \
     pre-series preseed series-a series-b series-c sizeable sizable small some strategic substantial successful \
     successfully than the their third to total totaling totalling tranche two undisclosed up upsized upto us \
     venture vc whopping with worth angel bridge extension late-stage early-stage nine-figure eight-figure \
     seven-figure six-figure multi-million multimillion backing stock convertible bei der die eine einen einer \
     erneut finanzierung finanzierungsrunde frisches insgesamt kapital knapp mehr rund uber weitere weiteren als \
     ein wachstumskapital millionen-finanzierung amorcage d'amorcage d'une de d'un des fonds leve levee nouvelle \
     nouveau plus pres une un tour table serie premier premiere deuxieme siebenstellige sechsstellige achtstellige inyeccion con el en la las los mas nueva por ronda \
     financiacion inversion semilla casi unos capital-riesgo su una primera private placement for gross aggregate proceeds brokered non-brokered pipe usd eur gbp cad aud chf segunda un da",
);

/// What only a round has.
pub static OF_ROUNDS: PlainPattern = PlainPattern::new(
    r"(?i)\b(financing|fundrais\w+|(?:mega-?)?round|pre-?seed|seed|series[ -][a-k]\d?\b|pre-?series|venture (?:capital|funding|round|financing)|equity|private placement|pipe|growth capital|growth funding|led by|co-?led|backed by|investors?|backers|angels?|vcs?|sovereign (?:wealth )?funds?|family offices?|finanzierung\w*|wachstumskapital|beteiligung\w*|levée de fonds|tour de table|ronda|financiación|inversores|amorçage|kapitalerhöhung)\b",
);
/// What money of investors is called, and other money as well.
pub static OF_MONEY: PlainPattern = PlainPattern::new(
    r"(?i)\b(funding|investments?|backing|capital|injection|infusion|boost|cash|raise|inversión|kapital\w*|fonds)\b",
);

/// What is raised, closed or won besides.
pub static OTHER_THINGS: PlainPattern = PlainPattern::new(
    r"(?i)\b(prices?|pricing|concerns?|questions?|doubts?|alarms?|awareness|eyebrows|guidance|outlook|forecasts?|estimates?|view|dividends?|distribution|wages?|salar(?:y|ies)|pay|rates?|tariffs?|tax(?:es)?|fees?|rents?|stakes?|bids?|offers?|targets?|ratings?|bar|flags?|flag|minimum|bonds?|notes? offering|senior notes|notes due|convertible (?:senior )?notes|debentures?|(?:an|its|the|in|from|via|us|london|nasdaq|nyse|hong kong|upsized|billion|million|m|b|bn) ipo|initial public offering|public (?:offering|listing|issue)|(?:direct|equity) offering|at-the-market|bought deal|flow-through|pre-?sale|(?:token|asset|land|property|public|secondary|\w+bond) sale|sale of|tokens?|icos?|idos?|tier [12]|ncds?|\w*bonds|sukuk|treasury bills|bonos|anleihen?|emprunt|obligations|kickstarter|indiegogo|gofundme|patreon|crowdfunding (?:appeal|campaign|drive|page)|warrants?|lending|project financ\w+|commitments?|proposed|termination|share (?:sale|offering|issue|buyback|repurchase)|stock (?:sale|offering|buyback|repurchase)|buybacks?|repurchase|bond sale|rights issue|qip|block deal|units|private credit|subordinated|commercial paper|milestone|royalt\w+|credit (?:facility|line|agreement)|line of credit|loans?|term loan|debt (?:facility|financing|funding|round|raise|deal)|revolving|revolver|refinanc\w+|mortgage|securiti[sz]ation|acquisitions?|takeover|merger|buyout|purchase|contracts?|orders?|deal with|lawsuit|settlement|verdict|fines?|penalty|grants?|awards?|prizes?|(?:stock|market|blockbuster|trading|nasdaq|nyse) debut|jackpot|donations?|donors?|sales|profits?|revenues?|fundraiser|gala|telethon|super pac|ticket sales|box office|auction|ransom|stolen|fraud|scam|ponzi|preise|gebühren|prix|precios|dividende|prognose|auftrag|subvention|subvención)\b",
);
/// Who gives grants and contracts.
pub static GOVERNMENTS: PlainPattern = PlainPattern::new(
    r"(?i)\b(department of|ministry of|governments?|dod|nih|nasa|darpa|barda|usda|epa|medicare|army|navy|air force|european commission|european union|horizon europe|national institutes?|taxpayers)\b",
);
/// What money is collected for that is no business.
pub static GOOD_CAUSES: PlainPattern = PlainPattern::new(
    r"(?i)\b(charit\w+|philanthrop\w+|hospitals?|hospice|schools?|students?|scholarships?|campaign|relief|victims|survivors|refugees|homeless|veterans|families|family|kids|children|poor|hungry|shelters?|church|museum|library|park|memorial|crowdfund\w*|election|presidential|senate|ukraine|earthquake|flood|wildfires?|hurricane|funeral|cancer (?:research|charity|patients)|food bank|causes?|community|clubs|childhood|arts)\b",
);
/// What a fund is, rather than a company with funding.
pub static FUNDS: PlainPattern = PlainPattern::new(
    r"(?i)\b(funds?\b(?: (?:i{1,3}|iv|v|vi{0,3}|ix|x)\b)?|fund-?of-?funds|final close|buyout|investment vehicle|spac|blank.check|dry powder|evergreen fund)\b",
);
/// Words of a headline about money that is hoped for, or that tells of many or of how.
pub static NOT_YET: PlainPattern = PlainPattern::new(
    r"(?i)^\s*(?:also noted|how|why|what|when|who|where|here(?:'s|’s| is| are)?|inside|meet|top|best|weekly|daily|this week|these|those|the week|week in|list|opinion|podcast|video|watch|listen|interview|q&a|analysis|explained|live|vc|venture capital|funding (?:round-?up|wrap|alert|news|daily|tracker)|deals?|\d+ (?:startups?|companies|ways|things|tips|lessons|reasons|best|indian|european|african))\b|\b(?:in talks|in discussions|talks to raise|is said to|reportedly (?:seek|eye|look|plan|consider|in talks)\w*|seeks?|seeking|plans? to|planning to|aims? to|aiming to|looks? to raise|looking (?:to|for)|hopes? to|wants? to|set to raise|is raising|nears?|nearing|close to|could|may raise|might|considers?|considering|mulls?|weighs?|explor(?:es|ing)|eyes|eyeing|to seek|targets? \S+ (?:raise|funding|round)|fails? to|failed to|struggles? to|ahead of|if it|after raising|who raised|that raised|having raised|despite raising|(?:months|years|weeks|days) after (?:raising|securing|landing|closing|(?:its |a )?[$€£]))\b",
);

/// Words of an investor's name.
pub static INVESTORS: WordSet =
    WordSet::new("capital ventures partners vc investors equity investments advisors asset fund");
/// Who collects money that is no company's; with a round that is called one, it is.
pub static COLLECTORS: WordSet = WordSet::new(
    "abbey alumni association asociacion ayuntamiento borough cathedral charities charity comunidad crowdfunder crowdfunding \
     etat l'etat fondation foundation fundacion gobierno gofundme gemeinde hospice kommune landkreis kickstarter mosque ngo nonprofit \
     non-profit ong orphanage region republic shelter society spendenaktion staat stadt stiftung synagogue telethon tresor \
     university verein ville zoo",
);
