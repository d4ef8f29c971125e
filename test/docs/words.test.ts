import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repository } from "../generator/support/project.ts";
import { pages } from "../support/docs.ts";

/** Words that plain technical English does without, what to write instead, and how often each may still occur. */
const words: Readonly<Record<string, readonly [form: RegExp, atMost: number]>> = {
  // Not `role-nobody-has`, a code, and no address such as nobody@example.com.
  "nobody, somebody, whoever, anybody → no one, a user, any caller who": [
    /(?<!-)\b(?:[Nn]obody|[Ss]omebody|[Ww]hoever|[Aa]nybody)\b(?![-@])/g,
    0,
  ],
  "stands in, stands beside → is in, is next to": [/\bstands? (?:in|beside|at|for itself)\b/gi, 0],
  "beside, anew, once more → next to, again": [/\b(?:beside|anew|once (?:more|again))\b/gi, 0],
  "there is none, is none → does not exist, has no X": [/\b(?:there is none|is none)\b/gi, 0],
  "of one's own, of ours, of theirs → custom, the app's, Kirak's": [
    /\b(?:of (?:one's|somebody's) own|of (?:ours|theirs)|oneself)\b/gi,
    0,
  ],
  "whatever, wherever, what it says → any, in every place, the value of": [
    /\b(?:whatever|wherever|what (?:it|they|userinfo) says?)\b/gi,
    0,
  ],
  "door, floor → public exports, layer": [/\b(?:doors?|floors?)\b(?!\()/gi, 0],
  "room → capacity, module": [/\brooms?\b/gi, 0],
  "is told, is said, says so → reports, prints, logs": [/\b(?:is told|is said|says so)\b/gi, 0],
  "alone → only": [/(?<!\bleaves .*)\balone\b/gi, 0],
  "own-*.ts → custom-*.ts, app-*.ts": [/\bown-[a-z-]+(?:\.test)?\.[tj]s\b/g, 0],
};

/** Where these words are right: other meanings, and values of the access matrix. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  "docs/access-recipes.md": ["room", "rooms"],
  "docs/introspect.md": ["anew"],
  "generator/review/access/former-matrix.ts": ["alone", "nobody"],
  "runtime/migrations/embedded-postgres/account.ts": ["nobody"],
  "test/docs/recipes.test.ts": ["rooms"],
  "test/generator/diagnostics/lint-project.test.ts": ["alone", "floor"],
  "test/generator/review/former-matrix.test.ts": ["alone", "nobody"],
  "test/generator/review/relations.test.ts": ["is none"],
  "test/http/checks.test.ts": ["room", "rooms"],
};

/** Comments, messages and names of the sources and the tests, and the docs. */
const texts = new Map<string, string>(pages);
for (const folder of ["runtime", "generator", "vocabulary", "cli", "scripts", "schemas", "templates", "test"])
  for (const name of readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" })) {
    const path = `${folder}/${name}`;
    if (!/\.(?:[tj]s|json|hbs)$/.test(name) || /\/(?:golden|generated)\/|words\.test/.test(path)) continue;
    texts.set(path, readFileSync(join(repository, path), "utf8"));
  }

const unused = new Set(
  Object.entries(allowed).flatMap(([path, list]) => list.map((word) => `${path}: ${word}`)),
);

test.each(Object.entries(words))("%s", (_, [form, atMost]) => {
  const found: string[] = [];
  for (const [path, text] of texts)
    for (const { 0: word, index } of text.matchAll(form)) {
      const key = `${path}: ${word.toLowerCase()}`;
      if (allowed[path]?.includes(word.toLowerCase())) unused.delete(key);
      else found.push(`${path}:${text.slice(0, index).split("\n").length} ${word}`);
    }
  if (found.length > atMost) expect(found).toEqual([]);
});

test("each allowed word occurs", () => {
  expect([...unused]).toEqual([]);
});
