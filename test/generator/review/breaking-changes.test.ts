import { describe, expect, test } from "vitest";
import { definitionOf, noticed } from "./changes-between.ts";

const everyone = [{ role: "*" }];
const access = { fetch: everyone, search: everyone, create: everyone, update: everyone };

const books = (fields: object, parts: object = {}) => ({
  books: { fields: { title: { type: "string" }, ...fields }, access, ...parts },
});

/** What callers notice, as `change (notices)`. */
async function breaking(before: object, after: object): Promise<string[]> {
  return noticed(await definitionOf(before), await definitionOf(after));
}

test("another prefix moves everything", async () => {
  const definition = await definitionOf(books({}));
  const [was, is] = ["/v1", "/v2"].map((servicePrefix) => ({ ...definition, servicePrefix }));
  expect(noticed(was ?? definition, is ?? definition)).toEqual([
    "the paths below /v1 are below /v2 now (callers of the old path get 404 or 405)",
  ]);
});

const used = "anyone who sends, reads or filters by it";
const renamed = "books is renamed to novels (anyone who uses GraphQL or a generated client)";
const moved = "the paths below /books are below /novels now (callers of the old path get 404 or 405)";
const unset = "anyone who creates rows without it";
const inGraphql = "anyone who uses it in GraphQL";
const string = { type: "string" };
const ruled = (rules: object) => books({}, { access: rules });

describe("models", () => {
  // biome-ignore format: one case a line
  test.each<[string, object, object, string[]]>([
    ["nothing", books({}), books({}), []],
    ["a new one", {}, books({}), []],
    ["one that is gone", books({}), {}, ["books is gone (its callers get 403 or 404)"]],
    ["one that is internal", books({}), books({}, { internal: true }), ["books is gone (its callers get 403 or 404)"]],
    ["one that was internal", books({}, { internal: true }), books({}), []],
    ["another path", books({}), books({}, { slug: "novels" }), [moved]],
    ["another key", books({}), { novels: { ...books({}).books, renamed_from: "books" } },
      [renamed, moved]],
    ["another key at the same path", books({}), { novels: { ...books({}, { slug: "books" }).books, renamed_from: "books" } },
      [renamed]],
    ["another name in GraphQL", { LineItems: { ...books({}).books, table: "items" } },
      { LineItems: { ...books({}).books, table: "items" }, line_items: books({}).books },
      ["LineItems is called LineItems2 in operationIds and GraphQL; before: LineItems (anyone who uses GraphQL or a generated client)"]],
    ["a smaller page", books({}), books({}, { max_limit: 50 }), ["books returns at most 50 rows a page; before: 1000 (anyone who requests more)"]],
    ["a larger page", books({}), books({}, { max_limit: 5000 }), []],
    ["soft delete that goes", books({}, { soft_delete: true }), books({}),
      ["books has no soft_delete any more (delete removes rows for good, and restore is 404)"]],
    ["soft delete that comes", books({}), books({}, { soft_delete: true }), []],
    ["ids of another type", books({}), books({}, { id_type: "uuid" }), [
      `books.id is of type string (uuid); before: integer (${used})`,
      "CreateReport.inserted_ids is of type string (uuid); before: integer (anyone who reads it)",
      "books.update body.data.id is of type string (uuid); before: integer (anyone who sends it)",
      "books.update answer.data.updated_ids is of type string (uuid); before: integer (anyone who reads it)",
      "UpdateReport.updated_ids is of type string (uuid); before: integer (anyone who reads it)",
      "books.upsert answer.data.id is of type string (uuid); before: integer (anyone who reads it)",
    ]],
    ["a unique key", books({}), books({}, { unique: [["title"]] }), ["books: title must be unique now (anyone who sends a value that exists already)"]],
    ["a unique key that goes", books({}, { unique: [["title"]] }), books({}), ["books: title need not be unique any more (anyone who upserts by it)"]],
    ["a unique key in another order", books({ x: string }, { unique: [["title", "x"]] }), books({ x: string }, { unique: [["x", "title"]] }), []],
    ["a looser unique key", books({ x: string }, { unique: [["title"]], access: { ...access, upsert: [] } }),
      books({ x: string }, { unique: [["title", "x"]], access: { ...access, upsert: [] } }), []],
    ["a looser unique key of a model with upsert", books({ x: string }, { unique: [["title"]] }), books({ x: string }, { unique: [["title", "x"]] }),
      ["books: title need not be unique any more (anyone who upserts by it)"]],
    ["a stricter unique key", books({ x: string }, { unique: [["title", "x"]] }), books({ x: string }, { unique: [["title"]] }),
      ["books: title must be unique now (anyone who sends a value that exists already)"]],
    ["a unique key of a model without write access", books({}, { access: { fetch: everyone } }),
      books({}, { access: { fetch: everyone }, unique: [["title"]] }), []],
    ["a removed model without access", books({}, { access: {} }), {}, []],
    ["a moved model without access", books({}, { access: {} }), books({}, { slug: "novels" }), []],
    ["a unique key under a new name", books({}, { unique: [["title"]] }),
      { books: { fields: { name: { ...string, renamed_from: "title" } }, access, unique: [["name"]] } },
      [`books.title is renamed to name (${used})`]],
  ])("%s", async (_, before, after, lines) => {
    expect(await breaking(before, after)).toEqual(lines);
  });
});

describe("fields", () => {
  const digits = "books.x has at most 10 digits before the point (anyone who sends more)";
  const one = (field: object | null) =>
    field === null ? books({}) : books({ x: { type: "string", ...field } });
  // biome-ignore format: one case a line
  test.each<[string, object | null, object | null, string[]]>([
    ["a new one", null, {}, []],
    ["a new one that is required", null, { required: true }, ["books.x is new and required in create, upsert (anyone who omits it)"]],
    ["one that is gone", {}, null, [`books.x is gone (${used})`]],
    ["another type", {}, { type: "integer" }, [`books.x is of type integer; before: string (${used})`]],
    ["required", { nullable: true }, { required: true, nullable: true }, ["books.x is required now in create, upsert (anyone who omits it)"]],
    ["a string that is a text now", {}, { type: "text" }, []],
    ["a text that is a string now", { type: "text" }, {}, ["books.x has at most 255 characters (anyone who sends a value outside this bound)"]],
    ["an e-mail that is a text now", { type: "email" }, { type: "text" }, []],
    ["an integer that is a float now", { type: "integer" }, { type: "float" }, ["books.x is of type number; before: integer (anyone who reads it)"]],
    ["a float that is an integer now", { type: "float" }, { type: "integer" }, ["books.x is of type integer; before: number (anyone who sends or filters by it)"]],
    ["a default of JSON that stays", { type: "json", default: { a: [1, "b"] } }, { type: "json", default: { a: [1, "b"] }, description: "the same" },
      []],
    ["another default", { default: "a" }, { default: "b" }, [`books.x has the default "b"; before: "a" (${unset})`]],
    ["a default that goes", { default: "a" }, {}, [`books.x has no default any more; before: "a" (${unset})`]],
    ["a default that goes from what is required then", { default: "a", nullable: false }, { required: true },
      ["books.x is required now in create, upsert (anyone who omits it)"]],
    ["a default that comes", { nullable: true }, { default: "a", nullable: true }, []],
    ["not required", { required: true, nullable: true }, { nullable: true }, []],
    ["null in answers", { nullable: false, default: "a" }, { default: "a", nullable: true }, ["books.x can be null in responses (anyone who reads it)"]],
    ["no null in requests", { default: "a", nullable: true }, { nullable: false, default: "a" },
      ["books.x cannot be null any more (anyone who sends null)"]],
    ["an enum", {}, { enum: ["a", "b"] }, ['books.x is one of "a", "b" now (anyone who sends another value)',
      "books.x has no filter x__gt, x__gte, x__lt, x__lte, x__like, x__ilike, x__between (anyone who filters by it)"]],
    ["an enum value less", { enum: ["a", "b"] }, { enum: ["b"] }, ['books.x does not accept "a" any more (anyone who sends or filters by such a value)']],
    ["an enum value more", { enum: ["a"] }, { enum: ["a", "b"] }, ['worth knowing: books.x can be "b" in responses now (anyone who reads it)']],
    ["an enum that goes", { enum: ["a"] }, {}, [
      `GraphQL: Books_x was removed, and 5 more of books.x (${inGraphql})`,
      "worth knowing: books.x can be any value in responses now (anyone who reads it)",
    ]],
    ["a shorter text", { max_length: 20 }, { max_length: 10 }, ["books.x has at most 10 characters; before: 20 (anyone who sends a value outside this bound)"]],
    ["a longer text", { max_length: 10 }, { max_length: 20 }, []],
    ["a least length", {}, { min_length: 2 }, ["books.x has at least 2 characters (anyone who sends a value outside this bound)"]],
    ["a lower least length", { min_length: 3 }, { min_length: 2 }, []],
    ["a minimum", { type: "integer" }, { type: "integer", minimum: 1 }, ["books.x is at least 1 (anyone who sends a value outside this bound)"]],
    ["a lower maximum", { type: "integer", maximum: 9 }, { type: "integer", maximum: 8 },
      ["books.x is at most 8; before: 9 (anyone who sends a value outside this bound)"]],
    ["wider bounds", { type: "integer", minimum: 1, maximum: 8 }, { type: "integer", minimum: 0 }, []],
    ["an integer that is a bigint now", { type: "integer" }, { type: "bigint" },
      ["books.x is of type string (int64); before: integer (anyone who reads it)"]],
    ["an integer that is a decimal now", { type: "integer" }, { type: "decimal", precision: 10 },
      ["books.x is of type string (decimal); before: integer (anyone who reads it)", digits]],
    ["a decimal that is a float now", { type: "decimal", precision: 10, scale: 2 }, { type: "float" },
      [`books.x is of type number; before: string (decimal) (${used})`]],
    ["a string that is a decimal now", {}, { type: "decimal", precision: 10 },
      ["books.x is of type string (decimal); before: string (anyone who reads it)", digits]],
    ["a value that is a list now", {}, { type: "string[]" }, [`books.x is of type array of string; before: string (${used})`]],
    ["a list of strings that is one of texts now", { type: "string[]" }, { type: "text[]" }, []],
    ["more decimals in fewer digits", { type: "decimal", precision: 6, scale: 2 }, { type: "decimal", precision: 6, scale: 3 },
      ["books.x has 3 decimals; before: 2 (anyone who reads it)", "books.x has at most 3 digits before the point; before: 4 (anyone who sends more)"]],
    ["fewer decimals", { type: "decimal[]", precision: 6, scale: 2 }, { type: "decimal[]", precision: 6, scale: 1 },
      ["books.x has 1 decimal; before: 2 (anyone who sends or reads it)"]],
    ["fewer digits", { type: "decimal", precision: 6, scale: 2 }, { type: "decimal", precision: 5, scale: 2 },
      ["books.x has at most 3 digits before the point; before: 4 (anyone who sends more)"]],
    ["more digits", { type: "decimal", precision: 5, scale: 2 }, { type: "decimal", precision: 6, scale: 2 }, []],
    ["a higher minimum of a decimal, by value", { type: "decimal", precision: 6, scale: 2, minimum: "9.5" },
      { type: "decimal", precision: 6, scale: 2, minimum: "10" }, ["books.x is at least 10; before: 9.5 (anyone who sends a value outside this bound)"]],
    ["a bound that is written otherwise", { type: "decimal", precision: 6, scale: 2, minimum: "9.5", enum: ["10"] },
      { type: "decimal", precision: 6, scale: 2, minimum: 9.5, enum: [10] }, []],
    [
      "bounds of a list",
      { type: "string[]", min_items: 1 },
      { type: "string[]", min_items: 2, max_items: 5, unique_items: true },
      [
        "books.x has at least 2 elements; before: 1 (anyone who sends a value outside this bound)",
        "books.x has at most 5 elements; before: 1000 (anyone who sends a value outside this bound)",
        "books.x cannot have the same element twice (anyone who sends an element twice)",
      ],
    ],
    ["looser bounds of a list", { type: "string[]", min_items: 2, max_items: 5, unique_items: true }, { type: "string[]" }, []],
    ["a pattern", {}, { pattern: "^a" }, ["books.x must match ^a (anyone who sends a text that does not match)"]],
    ["a pattern that goes", { pattern: "^a" }, {}, []],
    ["no search", { searchable: true }, {}, ["books.x is not searched any more (anyone who finds rows by it with search)",
      `GraphQL: Query.books arg search was removed, and 1 more of books.search (${inGraphql})`]],
    ["a password", {}, { type: "password" },
      ["books.x is not in responses any more (anyone who reads or filters by it)"]],
  ])("%s", async (_, before, after, lines) => {
    expect(await breaking(one(before), one(after))).toEqual(lines);
  });

  test("a new name", async () => {
    const after = { books: { fields: { name: { ...string, renamed_from: "title" } }, access } };
    expect(await breaking(books({}), after)).toEqual([`books.title is renamed to name (${used})`]);
  });

  test("a reference to other rows", async () => {
    const to = (model: string) => ({
      ...books({ x: { type: "integer", foreign_key: true, relationship: { model, foreign_key: "id" } } }),
      a: { fields: {}, access },
      b: { fields: {}, access },
    });
    expect(await breaking(to("a"), to("b"))).toEqual([
      `books.x refers to a row by b.id; before: a row by a.id (${used})`,
    ]);
  });

  const author = (key: string, on_delete = "restrict", parts: object = {}) => ({
    ...books({
      author_id: { type: "belongs_to", relationship: { model: key, foreign_key: "id", on_delete } },
    }),
    [key]: { fields: {}, access: { fetch: everyone, delete: everyone }, slug: "authors", ...parts },
  });

  test("a reference to rows of a model that has another key", async () => {
    const after = author("writers", "restrict", { renamed_from: "authors" });
    expect(await breaking(author("authors"), after)).toEqual([
      "authors is renamed to writers (anyone who uses GraphQL or a generated client)",
    ]);
  });

  test("a join that has another name, or is closed", async () => {
    const before = author("authors");
    const taken = {
      ...before,
      books: { ...before.books, fields: { ...before.books.fields, author: string } },
    };
    expect(await breaking(before, taken)).toEqual([
      `GraphQL: books.author_id changed type from BigInt to authors (${inGraphql})`,
      `GraphQL: books.author changed type from authors to String (${inGraphql})`,
    ]);
    const closed = author("authors", "restrict", { access: { create: everyone } });
    expect(await breaking(before, closed)).toContain(`GraphQL: books.author was removed (${inGraphql})`);
  });

  test("a number that names a row now", async () => {
    const before = { ...author("authors"), ...books({ author_id: { type: "integer" } }) };
    expect(await breaking(before, author("authors"))).toEqual([
      "books.author_id refers to a row by authors.id now (anyone who sends a value that no row has)",
    ]);
  });

  test.each([
    ["restrict", "cascade", "anyone who removes rows of authors also removes the rows that refer to them"],
    ["cascade", "restrict", "anyone who removes rows of authors that it refers to gets 400"],
    ["cascade", "set_null", "anyone who removes rows of authors empties it"],
  ])("on_delete %s, %s then", async (was, is, who) => {
    expect(await breaking(author("authors", was), author("authors", is))).toEqual([
      `books.author_id has on_delete ${is}; before: ${was} (${who})`,
    ]);
  });

  test("on_delete of rows that no role removes", async () => {
    for (const parts of [{ access: { fetch: everyone } }, { soft_delete: true }, { internal: true }])
      expect(await breaking(author("a", "restrict", parts), author("a", "cascade", parts))).toEqual([]);
  });

  // biome-ignore format: one case a line
  test.each<[string, object, object, object, string[]]>([
    ["one that is closed, and gone", { title: { read: [], write: [] } }, {}, {}, []],
    ["one that is closed, of another type", { title: { read: [], write: [] } }, { title: { type: "integer" } }, { title: { read: [], write: [] } },
      []],
    ["one that is closed, and required then", { title: { read: [], write: [] } }, { title: { type: "string", required: true } }, {},
      ["books.title is new and required in create, upsert (anyone who omits it)"]],
    ["one that is only read", { title: { write: [] } }, { title: { type: "string", pattern: "^a", max_length: 3 } }, { title: { write: [] } }, []],
  ])("%s", async (_, closed, fields, gates, lines) => {
    const model = (own: object, closedFields: object) => ({ books: { fields: own, access: { ...access, fields: closedFields } },
    });
    expect(await breaking(model({ title: string }, closed), model(fields, gates))).toEqual(lines);
  });

  test.each<[string, object]>([
    ["required", { title: { ...string, required: true, nullable: true } }],
    ["new and required", { title: string, x: { ...string, required: true } }],
    ["with a pattern", { title: { ...string, pattern: "^a" } }],
  ])("%s, of a model that no role creates or changes", async (_, fields) => {
    const read = { access: { fetch: everyone } };
    expect(await breaking(books({}, read), { books: { fields, ...read } })).toEqual([]);
  });

  test("one with the name of a property that every object has", async () => {
    expect(await breaking(books({ constructor: string }), books({}))).toEqual([
      `books.constructor is gone (${used})`,
    ]);
  });
});

describe("access", () => {
  const user = [{ role: "user" }];
  const open = [{ role: "user", condition: "title = 'x'" }];
  // biome-ignore format: one case a line
  test.each<[string, object, object, string[]]>([
    ["an operation without roles", ruled({ fetch: user, delete: user }), ruled({ fetch: user }),
      ["books.delete is not open to anyone any more (its callers get 403)"]],
    ["a role less", ruled({ delete: [...user, { role: "a" }] }), ruled({ delete: user }), ["books.delete is not open to a any more (they get 401 or 403)"]],
    ["not everybody", ruled({ fetch: everyone }), ruled({ fetch: user }),
      ["books.fetch, books.count, books.exists are not open to everyone any more (they get 401 or 403)"]],
    ["fewer rows", ruled({ delete: user }), ruled({ delete: open }),
      ["books.delete may open fewer rows to user: no longer all rows (rows can be missing or refused)"]],
    ["more", ruled({ delete: open }), ruled({ delete: everyone }), []],
    ["a field that fewer read", ruled({ fetch: everyone }), ruled({ fetch: everyone, fields: { title: { read: ["a"] } } }),
      ["books.title cannot be read by everyone any more (they get 403, or responses without it)"]],
    ["a field that no role writes", ruled({ create: user }), ruled({ create: user, fields: { title: { write: [] } } }),
      ["books.title is not accepted any more (anyone who sends it)", `GraphQL: Mutation.createBooks was removed (${inGraphql})`]],
    ["a field that fewer write, of a model that others read", ruled({ fetch: everyone, create: user }),
      ruled({ fetch: everyone, create: user, fields: { title: { write: ["a"] } } }),
      ["books.title cannot be written by user any more (they get 403, or responses without it)"]],
    ["an upsert that can only insert now", ruled({ create: user, upsert: user }), ruled({ create: user }),
      ["books.upsert:update is not open to user any more (they get 401 or 403)"]],
    ["an upsert with a rule of its own", ruled({ create: user, update: user }), ruled({ create: user, update: user, upsert: user }), []],
  ])("%s", async (_, before, after, lines) => {
    expect(await breaking(before, after)).toEqual(lines);
  });
});

describe("checks", () => {
  const fields = { a: { type: "integer" }, b: { type: "integer" } };
  const check = (name: string, condition: string, message = "No.") => ({ name, condition, message });
  const checked = (...checks: object[]) => books(fields, { checks });
  const breaks = "(anyone who writes a row that breaks it)";
  // biome-ignore format: one case a line
  test.each<[string, object, object, string[]]>([
    ["none", checked(), checked(), []],
    ["a new one", checked(), checked(check("in_order", "a<b")), [`books: the check in_order is new, and requires a<b ${breaks}`]],
    ["another condition", checked(check("in_order", "a < b")), checked(check("in_order", "a <= b")),
      [`books: the check in_order requires a <= b now ${breaks}`]],
    ["another name", checked(check("in_order", "a < b")), checked(check("sorted", "a < b")),
      ["books: the check in_order is renamed to sorted (anyone who reads details.check)"]],
    ["another spelling, message, place, or none any more", checked(check("in_order", "a < b"), check("small", "a < 9")),
      checked(check("in_order", "(a<b)", "Never.")), []],
    ["over a field with a new name", checked(check("in_order", "a < b")),
      books({ a: fields.a, c: { type: "integer", renamed_from: "b" } }, { checks: [check("in_order", "a < c")] }),
      ["books.b is renamed to c (anyone who sends, reads or filters by it)"]],
    ["over a new field that no client sends yet", books({ a: fields.a }), checked(check("in_order", "a < b")), []],
    ["if no role writes", books(fields, { access: { fetch: everyone } }),
      books(fields, { access: { fetch: everyone }, checks: [check("in_order", "a < b")] }), []],
  ])("%s", async (_, before, after, changes) => {
    expect(await breaking(before, after)).toEqual(changes);
  });
});
