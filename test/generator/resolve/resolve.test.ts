import { describe, expect, test } from "vitest";
import type { ModelDefinition } from "#generator/definition/definition";
import { loadFiles } from "../load/load-text.ts";

const open = { fetch: [{ role: "*" }] };

async function resolved(
  models: Record<string, object>,
  more: Record<string, unknown> = {},
): Promise<Map<string, ModelDefinition>> {
  const withAccess = Object.fromEntries(
    Object.entries(models).map(([key, model]) => [key, { access: open, ...model }]),
  );
  const { definition, diagnostics } = await loadFiles({ "models.json": withAccess, ...more });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return new Map(definition?.models.map((model) => [model.key, model]));
}

const authors = { fields: { name: { type: "string", max_length: 40, unique: true } } };

function author(rest: object = {}): object {
  return { type: "belongs_to", relationship: { model: "authors" }, ...rest };
}

describe("the resolved definition", () => {
  test("defaults of a service and of a model", async () => {
    const { definition } = await loadFiles({ "models.json": { books: { fields: {}, access: open } } });
    expect(definition).toMatchObject({ name: "service", servicePrefix: "", authPrefix: "/auth" });
    // biome-ignore format: many a line
    expect(definition?.models[0]).toMatchObject({
      key: "books", typeName: "Books", table: "books", slug: "books", idType: "integer", softDelete: false,
      internal: false, maxLimit: 1000, fields: [], hooks: null,
    });
  });

  test("it is frozen to its leaves", async () => {
    const models = await resolved({ books: { fields: { tags: { type: "json", default: { a: [1] } } } } });
    const [tags] = models.get("books")?.fields ?? [];
    expect(Object.isFrozen(tags)).toBe(true);
    expect(Object.isFrozen(tags?.default)).toBe(true);
  });

  test("nullable is the opposite of required; a default makes a field optional", async () => {
    const models = await resolved({
      books: {
        fields: {
          a: { type: "string" },
          b: { type: "string", required: true },
          c: { type: "string", required: true, default: "x" },
          d: { type: "string", required: true, nullable: true },
          e: { type: "string", default: null },
        },
      },
    });
    expect(models.get("books")?.fields.map((f) => [f.name, f.required, f.nullable, "default" in f])).toEqual([
      ["a", false, true, false],
      ["b", true, false, false],
      ["c", false, false, true],
      ["d", true, true, false],
      ["e", false, true, false],
    ]);
  });

  test("a default comes in the form that the database gets", async () => {
    const models = await resolved({
      books: {
        fields: {
          at: { type: "timestamp", default: "2025-01-01T02:00+02:00" },
          key: { type: "uuid", default: "6F9619FF-8B86-D011-B42D-00C04FC964FF" },
        },
      },
    });
    expect(models.get("books")?.fields.map((field) => field.default)).toEqual([
      "2025-01-01T00:00:00.000Z",
      "6f9619ff-8b86-d011-b42d-00c04fc964ff",
    ]);
  });

  test("a foreign key takes the kind, and the length, of the column it refers to", async () => {
    const models = await resolved({
      authors,
      orders: { id_type: "uuid", fields: {} },
      books: {
        fields: {
          author_id: author(),
          order_id: { type: "uuid", foreign_key: true, relationship: { model: "orders", foreign_key: "id" } },
          author_name: author({
            relationship: { model: "authors", foreign_key: "name", on_delete: "cascade" },
          }),
        },
      },
    });
    const fields = models.get("books")?.fields ?? [];
    expect(fields.map(({ kind, maxLength }) => [kind, maxLength])).toEqual([
      ["bigint", null],
      ["uuid", null],
      ["string", 40],
    ]);
    expect(fields[2]?.foreignKey).toEqual({
      name: "books_author_name_fkey",
      model: "authors",
      table: "authors",
      column: "name",
      onDelete: "cascade",
    });
  });

  test("a join is called after its field without _id, unless a field has that name", async () => {
    const models = await resolved({
      authors: {
        fields: { books: { type: "has_many", relationship: { model: "books", foreign_key: "author_id" } } },
      },
      books: { fields: { author_id: author(), editor_id: author(), editor: { type: "string" } } },
    });
    expect(models.get("books")?.relations.map(({ name, field }) => [name, field])).toEqual([
      ["author", "author_id"],
      ["editor_id", "editor_id"],
    ]);
    expect(models.get("authors")?.relations).toEqual([
      { name: "books", kind: "has_many", field: "id", model: "books", references: "author_id" },
    ]);
    expect(models.get("authors")?.fields).toEqual([]);
  });

  test("a foreign key has an index unless a key that holds all rows begins with it", async () => {
    const fields = {
      a: author(),
      b: author({ unique: true }),
      c: author({ index: true }),
      d: author(),
      e: author(),
      title: { type: "string" },
    };
    // biome-ignore format: one case a line
    const lists = { unique: [["d", "title"]],
      indexes: [["e", "title"], ["title", "a"]],
    };
    const models = await resolved({
      authors,
      books: { fields, ...lists },
      gone: { soft_delete: true, fields: { b: author({ unique: true }) } },
    });
    const names = (key: string) => models.get(key)?.indexes.map((index) => index.name);
    expect(names("books")).toEqual(["books_c_idx", "books_e_title_idx", "books_title_a_idx", "books_a_idx"]);
    expect(models.get("books")?.uniqueKeys.map((key) => key.name)).toEqual([
      "books_b_key",
      "books_d_title_key",
    ]);
    expect(names("gone")).toEqual(["gone_b_idx"]);
  });

  test("count and exists fall back to fetch, upsert to create and update", async () => {
    const rules = (role: string) => [{ role }];
    const access = {
      fetch: rules("f"),
      create: rules("c"),
      update: rules("u"),
      restore: rules("r"),
      exists: [],
    };
    const models = await resolved({
      a: { fields: {}, access },
      b: { fields: {}, access: { ...access, upsert: rules("x") } },
    });
    const rule = (role: string) => [{ role, condition: null, written: null, text: null, fields: null }];
    expect(models.get("a")?.access.operations).toMatchObject({
      count: rule("f"),
      exists: [],
      search: [],
      restore: [],
    });
    expect(models.get("a")?.access.upsert).toEqual({ insert: rule("c"), update: rule("u") });
    expect(models.get("b")?.access.upsert).toEqual({ insert: rule("x"), update: rule("x") });
  });

  test("a hook file is that of its model", async () => {
    const models = await resolved({ books: { fields: {} }, authors }, { "hooks/books.ts": "export {};" });
    expect(models.get("books")?.hooks).toMatchObject({ file: "hooks/books.ts" });
    expect(models.get("authors")?.hooks).toBe(null);
  });
});
