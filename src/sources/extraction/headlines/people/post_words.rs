//! The vocabulary of posts: ranks, what belongs to them and what ends them.

use crate::text::pattern::WordSet;

/// Words that end names of companies, and that posts begin with.
pub static COMPANY_ENDS: WordSet = WordSet::new(
    "advisors ai bank brands capital communications data digital energy estate financial global group growth health \
     healthcare insurance international investments labs law legal life media medical networks partners retail sciences \
     security services software solutions systems technologies technology therapeutics ventures wealth",
);
/// What somebody is to do, where no post is named.
pub const DOING: &[&str] = &[
    "accelerate", "bolster", "build", "drive", "expand", "grow", "guide", "head", "helm", "join", "lead", "oversee",
    "replace", "run", "scale", "spearhead", "strengthen", "succeed", "support",
];
/// Posts that are complete in one word, and behind which `of` leads to the company.
pub static WHOLE: WordSet = WordSet::new(
    "ceo cfo coo cto cmo cio ciso cpo cro chro clo cco cdo cso cao cxo cbo cho caio cno cgo gc co-ceo president/ceo chairman chairwoman chairperson \
     chair co-chair vice-chair founder co-founder cofounder counsel secretary treasurer controller comptroller partner \
     officer executive boss finanzchef finanzchefin vorstandschef vorstandschefin vorstandsvorsitzender \
     vorstandsvorsitzende geschaftsfuhrer geschaftsfuhrerin chef chefin co-chef co-chefin pdg presidente presidenta",
);
/// Posts that go on with what is led.
pub static RANKS: WordSet = WordSet::new(
    "accountant administrator advisor adviser analyst architect associate attorney chief commissioner coordinator dean \
     designer director directors editor editor-in-chief engineer evp fellow gm head leader lead leiter leiterin manager md member \
     officers owner president principal producer provost publisher rector recruiter rvp scientist specialist strategist superintendent supervisor svp \
     trustee trustees avp vp board co-head co-president vice-president directeur directrice president presidente president consejero consejera \
     director directora delegado delegada vorstand aufsichtsrat aufsichtsratsvorsitzender geschaftsleitung responsable gerente vorstandsmitglied bereichsleiter vertriebsleiter finanzvorstand personalvorstand technikvorstand vertriebsvorstand vorstandssprecher",
);
/// What posts end with that are one word in German: `Vertriebschef`.
const GERMAN_ENDS: &[&str] = &[
    "chef", "chefin", "direktor", "direktorin", "geschaftsfuhrer", "geschaftsfuhrerin", "leiter", "leiterin",
    "vorstand", "vorstandin", "vorsitzende", "vorsitzenden", "vorsitzender",
];
/// What a post has before or behind its rank.
pub static PARTS: WordSet = WordSet::new(
    "acting active administrative advisory affairs africa ai alliances americas analytics apac asia asia-pacific assistant audit banking benefits board \
     brand business canada capital care central chain channel channels china client clinical co commercial communications community \
     company compliance construction consumer content corporate country creative credit culture customer data deputy design development \
     digital distribution division east eastern ecommerce e-commerce editorial education emea emerging engineering enterprise environment \
     equity estate europe european executive experience federal finance financial first founding franchise general global governance government \
     group growth health healthcare human inaugural incoming independent india industrial information infrastructure innovation insights institutional insurance integration \
     intelligence interim international investment investments investor it japan joint latam latin learning legal lending life line logistics m&a \
     management managing manufacturing market marketing markets media medical merchandising mergers middle mining national network new next non-executive nonexecutive north northeast northern northwest nursing \
     operating operational operations pacific partner partnership partnerships patient people performance permanent planning platform policy portfolio privacy private \
     procurement product production products program programs project property public quality real region regional regulatory relations \
     research resources retail revenue risk safety sales sciences science scientific security senior service services shared software solutions south southeast southern \
     southwest sr staff state store stores strategic strategy success supervisory supply sustainability systems talent tax technical technology \
     trading training transformation treasury uk underwriting us u.s usa vice wealth west western wholesale worldwide workforce \
     generalbevollmachtigter neuer neue financiero financiera general ejecutivo comercial financiere generale technique juridique delegue deleguee adjoint adjointe ressources humaines developpement ventes numerique operaciones ventas tecnologia personas recursos humanos juridico juridica adjunto adjunta desarrollo negocio tecnico tecnica",
);
/// What ends a post.
pub static ENDS: WordSet = WordSet::new(
    "role job post seat at following after amid effective from replacing succeeding succeeds who in on with until by over ahead as while during to bei chez en \
     amidst upon under through via when where which whose starting beginning joins joined plus despite against hires appoints names announces promotes expands reports adds retires \
     steps resigns will is has was ab seit fur beim dans depuis tras desde after next zum zur replaces bolstering strengthening bringing driving leading continuing including marking oversees",
);

/// Posts that firms have as well as people.
pub static OF_FIRMS: WordSet = WordSet::new(
    "adviser advisor member manager administrator lead leader agent counsel producer publisher developer owner \
     specialist architect analyst lead-manager lead-agency lead-auditor lead-advisor strategic-partner technology-partner \
     media-partner exclusive-partner official-partner preferred-partner financial-advisor financial-adviser strategic-advisor partner \
     nominated-adviser managing-agent market-leader",
);

/// Whether a post ends or begins with `word`, which is `bare` without what is around it.
pub fn is_rank_as(word: &str, bare: &str) -> bool {
    let is_family_name = matches!(word.get(..3), Some("Cho" | "Cao"));
    let is_german = || GERMAN_ENDS.iter().any(|end| bare.ends_with(end));
    !is_family_name && (WHOLE.contains(bare) || RANKS.contains(bare) || is_german())
}

/// Whether posts are made of words like this one.
pub fn is_of_posts_as(word: &str, bare: &str) -> bool {
    PARTS.contains(bare) || is_rank_as(word, bare)
}
