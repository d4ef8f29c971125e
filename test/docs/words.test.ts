import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repository } from "../generator/support/project.ts";
import { pages } from "../support/docs.ts";

/** Words that plain technical English does without, and what to write instead. */
const words: Readonly<Record<string, RegExp>> = {
  "nobody, somebody, whoever, anybody → no one, a user, any caller who":
    /\b(?:nobody|somebody|whoever|anybody)\b/gi,
  "stands in, stands beside → is in, is next to": /\bstands? (?:in|beside|at|for itself)\b/gi,
  "beside, anew, once more → next to, again": /\b(?:beside|anew|once more)\b/gi,
  "there is none, is none → does not exist, has no X": /\b(?:there is none|is none)\b/gi,
  "of one's own → custom, your, the app's": /\bof (?:one's|somebody's) own\b/gi,
  "whatever, wherever → any, in every place": /\b(?:whatever|wherever)\b/gi,
  "door, room, floor → public exports, module, layer": /\b(?:doors?|rooms?|floors?)\b/gi,
  "it is told, says so → reports, prints, logs": /\b(?:is told|says so)\b/gi,
};

/** Comments, messages and names of the sources and the tests, and the docs. */
const texts = new Map<string, string>(pages);
for (const folder of ["runtime", "generator", "vocabulary", "cli", "scripts", "schemas", "templates", "test"])
  for (const name of readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" })) {
    const path = `${folder}/${name}`;
    if (!/\.(?:[tj]s|json|hbs)$/.test(name) || /\/(?:golden|generated)\/|words\.test/.test(path)) continue;
    texts.set(path, readFileSync(join(repository, path), "utf8"));
  }

/** How often each still occurs, mostly in tests. A commit can lower these numbers, and must not raise one. */
const ceilings: Readonly<Record<string, number>> = {
  "nobody, somebody, whoever, anybody → no one, a user, any caller who": 295,
  "stands in, stands beside → is in, is next to": 8,
  "beside, anew, once more → next to, again": 59,
  "there is none, is none → does not exist, has no X": 63,
  "of one's own → custom, your, the app's": 4,
  "whatever, wherever → any, in every place": 32,
  "door, room, floor → public exports, module, layer": 266,
  "it is told, says so → reports, prints, logs": 20,
};

test.each(Object.entries(words))("%s", (name, form) => {
  const found = [...texts].flatMap(([path, text]) =>
    [...text.matchAll(form)].map(({ index }) => `${path}:${text.slice(0, index).split("\n").length}`),
  );
  if (found.length > (ceilings[name] ?? 0)) expect(found).toEqual([]);
});
