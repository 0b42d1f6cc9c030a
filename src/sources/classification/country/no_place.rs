//! Words beside a place that are none.

use super::gazetteer::key;
use crate::text::pattern::WordSet;

/// Words that say how somebody works or what is at the place, not where it is.
pub static NO_PLACE: WordSet = WordSet::new(
    "remote remotely hybrid hibrido onsite on site office offices in within from home based homeoffice work anywhere \
     any all only fully the of or and area metro metropolitan region greater hq headquarters city distributed field \
     virtual preferred optional open to full part time teletravail telework wfh flexible multiple locations location \
     various near middle downtown town opportunity campus territory us a hub center centre central corporate global \
     worldwide international national nationwide regional asia europe africa america americas latin north south east \
     west emea apac latam eu store plant warehouse school street road avenue boulevard rue place park square mall \
     union internships talent pool na est pst mairie hotel ville departement remoto etats \
     da temporaneamente distanza sede zona provincia provinz province provincie comune gemeente municipio municipality \
     grossraum umgebung nahe landkreis kreis stadt bezirk kanton standort einsatzort bundesland prefecture oblast \
     distancia presencial semipresencial teletrabajo teletrabalho trabalho casa modalidad grande grand agglomeration \
     centrum zentrum centro kabupaten kota district distrito governorate province state alrededores interior \
     село деревня поселок рабочии город г городскои округ раион область обл край ст пгт віддалено дистанціино удаленно \
     удаленка дистанционно гибрид \
     amer namer amrs noram republic predominantly primarily mostly where possible occasional occasionally days day \
     week per minimum eller more others additional miejsce pracy siedziba firmy praca zdalna zdalnie hybrydowo \
     kommun kommune lan comuna grad obec okres gm gmina pow powiat woj wojewodztwo kecamatan qesm markaz district area commune \
     und et y oder ou raum environs peripherie nord sud ost ouest norte sul oeste based \
     university universite universidad universita universitat college airport aeropuerto aeroport flughafen \
     thuiswerken omgeving nabij locatie distance domicile telearbeit mobil mobiles arbeiten suburbs surrounding",
);

/// Whether `word` says nothing of where a place is.
pub fn is_no_place(word: &str) -> bool {
    NO_PLACE.contains(&key(word))
}
