// Adds the names that the Unicode CLDR, as Node.js has it, gives to countries to src/domain/targets/countries.tsv. Left out
// are names of several countries, words, and names that belong to a region or a larger place of another country.
//
//     node tools/countries.mjs
import { readFileSync, writeFileSync } from "node:fs";

const TABLE = "src/domain/targets/countries.tsv";
const LANGUAGES = "de fr es pt nl it pl sv da nb fi cs sk hr sl ro hu et lv lt tr ru uk bg el ar he zh zh-Hant ja ko id vi";
// Taken although a town has the name.
const SURE = new Set("مصر قطر армения ارمينيا rusko tailandia siria turcia libano soudan equateur indija servia".split(" "));
const SPECIAL = { ß: "ss", ø: "o", ł: "l", æ: "ae", œ: "oe", đ: "d", ı: "i" };

const read = (file) => readFileSync(file, "utf8").trim().split("\n").map((line) => line.split("\t"));
const plain = (name) => name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/[ßøłæœđı]/g, (letter) => SPECIAL[letter]);
const key = (name) => plain(name).replace(/[^\p{L}\p{N}]+/gu, " ").trim();
const isShort = (name) => name.length < (/[\p{sc=Han}\p{sc=Hang}\p{sc=Hira}\p{sc=Kana}]/u.test(name) ? 2 : 4);

const taken = new Map(read("src/sources/mentions/words.txt").map(([word]) => [word, null]));
for (const [country, , names] of read("src/sources/classification/country/regions.tsv")) {
  names?.split("|").forEach((name) => taken.set(name, country));
}
let before = Buffer.alloc(0);
for (const [row] of read("src/sources/classification/country/cities.tsv").filter(([row]) => row)) {
  const [, rest, country, isTiny] = row.slice(1).match(/^([^A-Z]*)([A-Z]{2})[A-Z]*[?~]*(\.?)$/);
  before = Buffer.concat([before.subarray(0, row.charCodeAt(0) - 65), Buffer.from(rest)]);
  if (!isTiny && !taken.has(String(before))) taken.set(String(before), country);
}

const rows = read(TABLE).map(([code, long, names]) => ({ code, long, names: names.split("|") }));
const owners = new Map(rows.flatMap(({ code, names }) => names.map((name) => [key(name), [code]])));
for (const language of LANGUAGES.split(" ")) {
  const inLanguage = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
  for (const { code } of rows) {
    const name = key((inLanguage.of(code) ?? "").replace(/\(.*\)|（.*）/, "").replace(/^中国(?=.)/, ""));
    owners.set(name, [...new Set([...(owners.get(name) ?? []), code])]);
  }
}
for (const [name, [code, ...others]] of owners) {
  const isOther = isShort(name) || (taken.has(name) && taken.get(name) !== code);
  const row = rows.find((row) => row.code === code);
  if (!others.length && (!isOther || SURE.has(name)) && !row.names.some((known) => key(known) === name)) row.names.push(name);
}
writeFileSync(TABLE, rows.map(({ code, long, names }) => `${code}\t${long}\t${names.join("|")}\n`).join(""));
