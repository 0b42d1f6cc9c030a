#!/usr/bin/env python3
"""Makes src/sources/extraction/headlines/clubs.txt: clubs of football, whose players and coaches are no news of companies.

    python3 tools/clubs.py CLUBS

CLUBS is a clone of https://github.com/openfootball/clubs (CC0).
"""

import glob
import os
import re
import sys
import unicodedata

OUT = os.path.join(os.path.dirname(__file__), "..", "src", "sources", "extraction", "headlines", "clubs.txt")
# Companies are called so as well.
COMPANIES = """airbus atlas audi bayer boeing bosch brother colo dacia dow energie ericsson fiat fortuna ford hercules hp ikea inter metro nestle
nokia orange osram philips pirelli porto puma rapid renault sandoz santander siemens sirius sony spar swift thales toyota vale vodafone volvo""".split()


def folded(text):
    for letter, plain in {"ß": "ss", "ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ı": "i"}.items():
        text = text.lower().replace(letter, plain)
    return "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))


def names(line):
    """The names of a club that a line gives: its own before the comma, and others behind bars."""
    line = line.split("#")[0].strip()
    if line.startswith("|"):
        return line.split("|")
    is_club = "," in line and not line.startswith(("=", "ii)", "iii)", "("))
    return [line.split(",")[0]] if is_club else []


clubs = set()
for path in glob.glob(os.path.join(sys.argv[1], "**", "*.clubs.txt"), recursive=True):
    with open(path, encoding="utf-8") as file:
        for line in file:
            clubs.update(folded(re.sub(r"\[.*?\]|\(.*?\)", "", name)).strip() for name in names(line))
# Words by which other rules know a club, and second teams.
OTHERS = re.compile(r"\b(fc|cf|sc|sv|fk|ac|afc|cd|sk|nk|bc|bk|if|ff|vv|tsv|vfb|vfl|club|football|futbol|futebol|ii|iii|b|am)\b")
is_short = re.compile(r"^[a-z0-9][a-z0-9'&-]+( [a-z0-9'&-]+){0,2}$")
clubs = sorted(club for club in clubs if is_short.match(club) and len(club) > 3 and club not in COMPANIES and not OTHERS.search(club))
with open(OUT, "w", encoding="utf-8") as file:
    file.write("\n".join(clubs) + "\n")
