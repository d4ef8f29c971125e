import { expect, test } from "vitest";
import { project } from "../support/project.ts";

const search = [{ role: "admin" }];
const searchable = (ignore?: object) => ({ type: "string", searchable: true, ...ignore });
const reason = "a few hundred rows";
const ignored = { lint_ignore: { "unindexed-search": reason } };

/** The lint result of models: open findings, and silenced ones with the line of the entry. */
async function lint(models: object, manifest: object = {}) {
  const { generate } = project(models, { name: "fixture", ...manifest });
  const { exitCode, diagnostics, silenced } = await generate({ mode: "lint" });
  return {
    exitCode,
    open: diagnostics.map(({ code, message }) => `${code}: ${message}`),
    silenced: silenced.map(({ diagnostic, reason: why, at }) => [diagnostic.code, why, at.file, at.line]),
  };
}

test("an entry of a field silences the findings of the field", async () => {
  const fields = { title: searchable(ignored), subtitle: searchable() };
  expect(await lint({ books: { fields, access: { search } } })).toEqual({
    exitCode: 1,
    open: ['unindexed-search: each search of "books" reads every row, because "subtitle" has no index'],
    silenced: [["unindexed-search", reason, "models/models.json", 8]],
  });
});

test("an entry of a model silences the model and its fields, and no other model", async () => {
  const books = { fields: { title: searchable(), subtitle: searchable() }, access: { search } };
  const { open, silenced } = await lint({ books: { ...ignored, ...books }, authors: books });
  expect(open.map((line) => line.includes('"authors"'))).toEqual([true, true]);
  expect(silenced.map(([code, , , line]) => [code, line])).toEqual([
    ["unindexed-search", 4],
    ["unindexed-search", 4],
  ]);
});

test("an entry of the manifest silences all models and the manifest", async () => {
  const models = { books: { fields: { title: searchable() }, access: { search } } };
  const lint_ignore = { "unindexed-search": reason, "weak-password-hash": "only tests" };
  // biome-ignore format: one case a line
  expect(await lint(models, { lint_ignore, auth: { bcrypt_cost: 4 } })).toEqual({ exitCode: 0,
    open: [],
    silenced: [["unindexed-search", reason, "models/manifest.json", 4], ["weak-password-hash", "only tests", "models/manifest.json", 5]],
  });
});

test("the nearest entry counts, and the others must have something left", async () => {
  const books = { ...ignored, fields: { title: searchable(ignored) }, access: { search } };
  expect((await lint({ books })).open).toEqual([
    'unused-lint-ignore: "unindexed-search" silences nothing in model "books"',
  ]);
});

test("a condition may be silenced in the field that it compares, on another model too", async () => {
  const owner = { type: "integer", lint_ignore: { "unindexed-condition": "ten teams" } };
  const models = {
    teams: { fields: { owner_id: owner }, access: { fetch: search } },
    posts: {
      fields: { team_id: { type: "belongs_to", relationship: { model: "teams" } } },
      access: { fetch: [{ role: "user", condition: "team.owner_id = {user_id}" }] },
    },
  };
  const { exitCode, silenced } = await lint(models);
  expect(exitCode).toBe(0);
  expect(silenced.map(([code]) => code)).toEqual(["unindexed-condition"]);
});

test("warnings are silenced in the same way, in every run", async () => {
  const { generate, write } = project({ books: { fields: { title: { type: "string" } } } });
  expect((await generate()).diagnostics.map(({ code }) => code)).toEqual(["unreachable-model"]);
  const lint_ignore = { "unreachable-model": "filled by a script" };
  write("models/models.json", { books: { fields: { title: { type: "string" } }, lint_ignore } });
  expect(await generate()).toMatchObject({ exitCode: 0, diagnostics: [] });
  expect(await generate({ mode: "check" })).toMatchObject({ exitCode: 0, diagnostics: [] });
});

test("a hook file has no place for an entry but the manifest", async () => {
  const { generate, write } = project(
    {},
    { name: "fixture", lint_ignore: { "orphan-hook": "of the next model" } },
  );
  write("models/hooks/books.ts", "");
  expect(await generate({ mode: "lint" })).toMatchObject({ exitCode: 0, diagnostics: [] });
});

test("an error is never hidden, and while there is one, entries are not reported", async () => {
  const books = { ...ignored, fields: { title: { type: "strnig" } } };
  const { generate } = project({ books });
  const { exitCode, diagnostics } = await generate({ mode: "lint" });
  expect(exitCode).toBe(2);
  expect(diagnostics.map(({ code }) => code)).toEqual(["unreachable-model", "unknown-field-type"]);
});
