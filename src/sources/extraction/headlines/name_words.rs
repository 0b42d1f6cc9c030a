//! Words before, behind and inside the names of people, and words that no name has.

use crate::text::pattern::WordSet;

/// Words before a name.
pub static TITLES: WordSet = WordSet::new(
    "dr prof professor doctor mr mrs ms miss mx sir dame lord lady hon rev herr frau ing dipl mag mme monsieur \
     madame sr sra don doña",
);
/// Words behind a name.
pub static SUFFIXES: WordSet = WordSet::new(
    "jr sr ii iii iv phd ph.d md m.d mba cpa cfa esq jd j.d rn msc obe mbe cbe kbe qc kc pmp pharmd pharm.d edd ed.d \
     dds dvm rph facs shrm-scp cissp mph ms llm drph dphil mbbs frcp",
);
/// Words of a family's name that begin small.
pub static PARTICLES: WordSet = WordSet::new(
    "af al av bin bint da das de del della den der di do dos du el la las le los mac san ten ter van vom von y zu \
     zum zur ibn 't",
);
/// Family names that stand first where the given name behind them has two syllables joined by a hyphen.
pub static FIRST_FAMILY_NAMES: WordSet = WordSet::new(
    "an bae chan chang chen cheng cho choi chung feng gao guo han he hong hu huang hwang jang jeon jeong jiang jung \
     kang kim kwon lee li liang lim lin liu luo ma moon nguyen oh park ryu seo shin song sun tang tran wang wu xie \
     xu yang yoon yu zhang zhao zheng zhou zhu",
);
/// Firms that are called like people, and are taken on as advisers or partners.
pub const FIRMS_LIKE_PEOPLE: &[&str] = &[
    "baker mckenzie", "baker tilly", "charles schwab", "clifford chance", "edward jones", "eli lilly", "goldman sachs",
    "grant thornton", "hogan lovells", "houlihan lokey", "john deere", "jones day", "jp morgan", "korn ferry",
    "merrill lynch", "morgan stanley", "norton rose", "oliver wyman", "piper sandler", "raymond james",
    "roland berger", "russell reynolds", "spencer stuart", "thomson reuters", "wells fargo", "william blair",
];
/// Words that no person's name has: what companies, places and posts are made of. Not all legal forms are: Åsa is a name.
pub static NO_NAMES: WordSet = WordSet::new(
    "academy advisors agency airlines airport and associates association authority award bank board building \
     business capital center centre chair chief city club college committee company corp council county department \
     director energy equity executive exchange finance financial firm first former foundation fund general global \
     gmbh government group head health healthcare holdings hospital inc industries institute insurance international \
     investment investments labs leader leaders limited list llc llp ltd management managing market marketing media \
     ministry national networks new officer parliament partners pharma plc police president project research sales \
     school senate senior services software solutions studios system systems team tech technologies technology the \
     top trust union university ventures vice women world aerospace airways analytics apparel automotive bancorp \
     bancshares biosciences biotherapeutics builders communications construction devices diagnostics electric \
     entertainment foods games gas genomics gold homes hotels interactive law lithium logistics materials metals \
     minerals mining motors oil oncology petroleum pharmaceuticals power properties railways realty resorts \
     resources robotics securities semiconductors therapeutics uranium utilities",
);
