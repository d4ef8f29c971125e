import { diffLines } from "diff";
import { describe, expect, test } from "vitest";
import type { ModelDefinition } from "#generator/definition/definition";
import { openApiDocument } from "#generator/emit/openapi/document";
import { printDocument } from "#generator/emit/openapi/print-document";
import { completeDocument, documentedRoles, roleDocument } from "#vocabulary/openapi/role-document";
import { access, field, model, rule, service } from "../../support/definitions.ts";

const rules = {
  fetch: [rule("*")],
  search: [rule("*")],
  create: [rule("user")],
  update: [rule("user")],
  delete: [rule("admin")],
};
const everything = access(rules);
const notes = model("notes", { fields: [field("title"), field("body")], access: everything });

const text = (...models: readonly ModelDefinition[]) => printDocument(openApiDocument(service(...models)));

/** Lines that are only in the first text, and lines that are only in the second one. */
function changed(before: string, after: string): { removed: number; added: number } {
  const parts = diffLines(before, after);
  const lines = (found: typeof parts) => found.reduce((sum, { count = 0 }) => sum + count, 0);
  return {
    removed: lines(parts.filter(({ removed }) => removed)),
    added: lines(parts.filter(({ added }) => added)),
  };
}

describe("a change of the API changes few lines", () => {
  test("an optional field changes six", () => {
    const more = { ...notes, fields: [...notes.fields, field("rank", { kind: "integer" })] };
    expect(changed(text(notes), text(more))).toEqual({ removed: 3, added: 6 });
  });

  test("a role in one operation changes one", () => {
    const opened = access({ ...rules, delete: [rule("admin"), rule("staff")] });
    expect(changed(text(notes), text({ ...notes, access: opened }))).toEqual({ removed: 1, added: 1 });
  });

  test("a model only adds lines", () => {
    const pens = model("pens", { fields: [field("ink")], access: everything });
    expect(changed(text(notes), text(notes, pens)).removed).toBe(0);
  });
});

test("a type name that a shared schema, another model or a type of clients has gets a number", () => {
  const models = ["success", "error", "page", "session", "books", "booksPart"].map((key) =>
    model(key, { access: everything }),
  );
  const names = Object.keys(openApiDocument(service(...models)).components.schemas);
  expect(names).toEqual(
    expect.arrayContaining([
      "Success2",
      "Success2Part",
      "Error2",
      "Success",
      "Error",
      "Page2",
      "Session2",
      "BooksPart",
      "BooksPart2",
    ]),
  );
});

test("delete and destroy share the schema of their body", () => {
  const removed = access({ delete: [rule("user")], destroy: [rule("user")] });
  const { paths } = openApiDocument(service(model("notes", { access: removed })));
  const schema = { $ref: "#/components/schemas/NotesRemoval" };
  for (const name of ["delete", "destroy"])
    expect(paths[`/notes/${name}`]?.delete?.requestBody).toEqual({
      required: true,
      content: { "application/json": { schema } },
    });
});

test("operations that no role reaches, internal models and restore without soft delete are left out", () => {
  const paths = Object.keys(
    openApiDocument(service(notes, model("closed"), { ...notes, key: "x", slug: "x", internal: true })).paths,
  );
  expect(paths.filter((path) => path.startsWith("/notes"))).toEqual(
    ["fetch", "search", "count", "exists", "create", "update", "upsert", "delete"].map(
      (name) => `/notes/${name}`,
    ),
  );
  expect(paths.filter((path) => /^\/(closed|x)\//.test(path))).toEqual([]);
});

test("the document of a role has its operations and fields, and no notes but limits", () => {
  const fields = [field("title"), field("cost"), field("cost_")];
  const gates = ["cost", "cost_"].map((name) => ({ field: name, read: ["staff"], write: ["staff"] }));
  const gated = model("notes", { fields, access: access(rules, gates) });
  const of = (role: string) => roleDocument(openApiDocument(service(gated)), role);
  const [guest, staff] = [of("guest"), of("staff")];
  expect(JSON.stringify(guest)).not.toMatch(/cost|x-kirak-(?!limit)|x-kirak"/);
  expect(Object.keys(guest.paths)).not.toContain("/notes/create");
  expect(JSON.stringify(staff)).toContain('"cost__in"');
  expect(Object.keys(of("user").paths)).toContain("/notes/create");
  expect(Object.keys(of("user").paths)).not.toContain("/notes/delete");
});

test("the document of a role hides fields of a model whose rows no operation answers", () => {
  const gates = [{ field: "cost", read: ["staff"], write: ["staff"] }];
  const changed = { count: [rule("user")], update: [rule("user")], delete: [rule("user")] };
  const gated = model("notes", { fields: [field("title"), field("cost")], access: access(changed, gates) });
  const text = JSON.stringify(roleDocument(openApiDocument(service(gated)), "user"));
  expect(text).toContain('"title__in"');
  expect(text).not.toMatch(/cost|NotesPart/);
});

test("a document names the roles of its rules and of its gates", () => {
  const fields = [field("title"), field("cost")];
  const gates = [{ field: "cost", read: ["auditor"], write: ["clerk"] }];
  const gated = model("notes", {
    fields,
    access: access({ fetch: [rule("reader")], create: [rule("reader")] }, gates),
  });
  const roles = documentedRoles(openApiDocument(service(gated)));
  expect([...roles]).toEqual(expect.arrayContaining(["reader", "auditor", "clerk"]));
  expect(roles.has("juggler")).toBe(false);
});

test("the ingestion key of monitoring is not a role of accounts", () => {
  const document = openApiDocument({ ...service(notes), monitoring: true });
  expect(documentedRoles(document).has("ingestion_key")).toBe(false);
  const paths = Object.keys(roleDocument(document, "ingestion_key").paths);
  expect(paths).toContain("/notes/fetch");
  expect(paths.filter((path) => path.startsWith("/monitoring"))).toEqual(
    Object.keys(roleDocument(document, "juggler").paths).filter((path) => path.startsWith("/monitoring")),
  );
});

test("the document for other generators answers whole rows, also of a model whose name ends in `Part`", () => {
  const document = completeDocument(openApiDocument(service(model("sparePart", { access: everything }))));
  const { schemas, responses } = document.components;
  expect(JSON.stringify(responses)).toContain('"#/components/schemas/SparePart"');
  expect(JSON.stringify(responses)).not.toContain("SparePartPart");
  const refers = JSON.stringify(document).match(/(?<="#\/components\/schemas\/)\w+/g) ?? [];
  expect(refers.filter((name) => !Object.hasOwn(schemas, name))).toEqual([]);
});
