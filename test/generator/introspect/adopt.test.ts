import { describe, expect, test } from "vitest";
import { adopt } from "#generator/introspect/adopt";
import type { CatalogColumn, CatalogTable } from "#vocabulary/migrations/catalog";
import {
  check,
  column,
  foreignKey,
  index,
  primaryKey,
  required,
  schema,
  serialId,
  table,
  unique,
} from "./catalogs.ts";

/** The models of some tables. */
function models(...tables: CatalogTable[]): Record<string, unknown> {
  return { ...adopt(schema(tables)).models };
}

/** The fields of a model of its own. */
function fields(...columns: CatalogColumn[]): unknown {
  return Object(models(table("t", columns))["t"]).fields;
}

/** The messages on some tables, one line each. */
function said(...tables: CatalogTable[]): string[] {
  return adopt(schema(tables)).remarks.map(
    ({ table: of, what, outcome, loud }) => `${loud ? "! " : ""}${of ?? "-"}: ${what}: ${outcome}`,
  );
}

describe("types", () => {
  test.each([
    ["smallint", { type: "integer" }, "smallint"],
    ["integer", { type: "integer" }, "integer"],
    ["bigint", { type: "bigint" }, "bigint"],
    ["real", { type: "float" }, "real"],
    ["double precision", { type: "float" }, "double precision"],
    ["numeric", { type: "float" }, "numeric"],
    ["numeric(10,2)", { type: "decimal", precision: 10, scale: 2 }, "numeric(10,2)"],
    ["numeric(9,0)", { type: "decimal", precision: 9 }, "numeric(9,0)"],
    ["boolean", { type: "boolean" }, "boolean"],
    ["text", { type: "text" }, "text"],
    ["character varying", { type: "text" }, "varchar"],
    ["character varying(40)", { type: "string", max_length: 40 }, "varchar(40)"],
    ["character(2)", { type: "string", max_length: 2 }, "char(2)"],
    ["date", { type: "date" }, "date"],
    ["timestamp without time zone", { type: "datetime" }, "timestamp"],
    ["timestamp(0) without time zone", { type: "datetime" }, "timestamp(0)"],
    ["timestamp with time zone", { type: "datetime" }, "timestamptz"],
    ["timestamp(3) with time zone", { type: "datetime" }, "timestamptz(3)"],
    ["json", { type: "json" }, "json"],
    ["jsonb", { type: "json" }, "jsonb"],
    ["uuid", { type: "uuid" }, "uuid"],
  ])("%s", (type, field, baseline) => {
    const { models: made, tables } = adopt(schema([table("t", [column("c", type)])]));
    expect(Object(made["t"]).fields).toEqual({ c: field });
    expect(tables[0]?.columns[1]).toEqual({ name: "c", type: baseline, nullable: true });
  });

  // biome-ignore format: one case a line
  test.each([
    "tsvector", "bytea", "int4range", "inet", "interval", "money", '"char"', "citext", "geometry(Point,4326)", "bit(3)", "oid",
  ])("%s is not a field", (type) => {
    expect(fields(column("c", type))).toEqual({});
    expect(said(table("t", [column("c", type)]))).toEqual([
      `t: column c (${type}): no field can hold it: it stays the same, and responses do not contain it`,
    ]);
    expect(said(table("t", [required("c", type)]))[0]).toMatch(/^! t: .* EVERY CREATE FAILS/);
    expect(said(table("t", [required("c", type, { default: "f()" })]))[0]).not.toMatch(/FAILS/);
    expect(said(table("t", [required("c", type)], { triggers: ["fill"] }))[0]).toMatch(/unless .*\(fill\)$/);
  });

  test("an enum type becomes a text with its values, a domain its base type", () => {
    const rating = column("rating", "mpaa_rating", {
      enumValues: ["G", "PG-13"],
      default: "'G'::mpaa_rating",
    });
    const year = column("year", "year", { baseType: "integer" });
    expect(fields(rating, year)).toEqual({
      rating: { type: "text", default: "G", enum: ["G", "PG-13"] },
      year: { type: "integer" },
    });
    expect(said(table("t", [year]))[0]).toMatch(/a domain/);
  });

  test("a bigint that refers to a row is a relation", () => {
    const orders = table("orders", []);
    const lines = table("lines", [column("order_id", "bigint"), column("size", "bigint")], {
      constraints: [primaryKey("id"), foreignKey("fk", "order_id", "orders.id")],
    });
    const made = Object(models(orders, lines)["lines"]).fields;
    expect([made.order_id.type, made.size]).toEqual(["belongs_to", { type: "bigint" }]);
    expect(said(orders, lines)).toEqual([]);
  });

  test("columns that the database computes are not fields", () => {
    const filled = [
      column("a", "integer", { generated: true, default: "x + 1" }),
      column("b", "bigint", { identity: "always" }),
      column("c", "integer", { sequence: true, default: "nextval('c_seq'::regclass)" }),
    ];
    expect(fields(...filled)).toEqual({});
    expect(said(table("t", filled))).toHaveLength(3);
  });
});

describe("defaults", () => {
  // biome-ignore format: one case a line
  test.each([
    ["integer", "3", 3],
    ["integer", "'-1'::integer", -1],
    ["integer", "(-1)", -1],
    ["smallint", "(3)::smallint", 3],
    ["numeric(4,2)", "4.99", "4.99"],
    ["numeric(4,2)", "'4.99'::numeric", "4.99"],
    ["boolean", "true", true],
    ["boolean", "false", false],
    ["text", "'it''s'::text", "it's"],
    ["text", "''::text", ""],
    ["character varying(9)", "'a'::character varying", "a"],
    ["character(1)", "'N'::bpchar", "N"],
    ["jsonb", `'{"a": [1]}'::jsonb`, { a: [1] }],
    ["date", "'2006-02-14'::date", "2006-02-14"],
    ["timestamp without time zone", "'2006-02-14 10:00:00'::timestamp without time zone", "2006-02-14T10:00:00.000Z"],
    ["timestamp(3) with time zone", "'2006-02-14 10:00:00+02'::timestamp with time zone", "2006-02-14T08:00:00.000Z"],
    ["uuid", "'00000000-0000-0000-0000-00000000000A'::uuid", "00000000-0000-0000-0000-00000000000a"],
  ])("%s %s", (type, expression, value) => {
    const { models: made, tables } = adopt(
      schema([table("t", [column("c", type, { default: expression })])]),
    );
    expect(Object(made["t"]).fields.c.default).toEqual(value);
    expect(tables[0]?.columns[1]?.default).toEqual({ literal: value });
  });

  test.each([
    ["timestamp with time zone", "now()"],
    ["date", "('now'::text)::date"],
    ["uuid", "gen_random_uuid()"],
    ["integer", "length('abc'::text)"],
    ["text", "('a'::text || 'b'::text)"],
    ["character varying(2)", "'too long'::character varying"],
    ["integer", "nextval"],
  ])("%s %s is not a literal", (type, expression) => {
    const one = table("t", [required("c", type, { default: expression })]);
    expect(Object(models(one)["t"]).fields.c).not.toHaveProperty("default");
    expect(adopt(schema([one])).tables[0]?.columns[1]).not.toHaveProperty("default");
    expect(said(one)).toEqual([
      `t: default of c, ${expression}: it stays for other programs; requests must send c, or a before_create hook sets it`,
    ]);
  });

  test("NULL is not a default", () => {
    const one = table("t", [column("c", "text", { default: "NULL::text" })]);
    expect(Object(models(one)["t"]).fields.c).toEqual({ type: "text" });
    expect(said(one)).toEqual([]);
  });
});

describe("checks", () => {
  const statuses = ["a", "it's"];
  // biome-ignore format: one case a line
  test.each([
    ["text", "(status = ANY (ARRAY['a'::text, 'it''s'::text]))", { enum: statuses }],
    ["character varying(9)", "((status)::text = ANY ((ARRAY['a'::character varying, 'it''s'::character varying])::text[]))", { enum: statuses }],
    ["text", "((status = 'a'::text) OR (status = 'it''s'::text))", { enum: statuses }],
    ["text", "(status = 'a'::text)", { enum: ["a"] }],
    ["integer", "(status = ANY (ARRAY[1, 2, '-3'::integer]))", { enum: [1, 2, -3] }],
    ["integer", "((status >= 1) AND (status <= 5))", { minimum: 1, maximum: 5 }],
    ["integer", "(status > 0)", { minimum: 1 }],
    ["integer", "(0 < status)", { minimum: 1 }],
    ["smallint", "(status < 10)", { maximum: 9 }],
    ["numeric(10,2)", "(status >= (0)::numeric)", { minimum: 0 }],
    ["double precision", "(status <= '1.5'::double precision)", { maximum: 1.5 }],
  ])("%s %s", (type, expression, rule) => {
    const one = table("t", [column("status", type)], { constraints: [check("t_check", "status", expression)],
    });
    expect(Object(models(one)["t"]).fields.status).toMatchObject(rule);
  });

  test.each([
    ["double precision", "(status > (0)::double precision)"],
    ["text", "(char_length(status) > 3)"],
    ["text", "(status <> 'a'::text)"],
    ["text", "((status = 'a'::text) OR (other = 'b'::text))"],
    ["integer", "(status >= other)"],
    ["text", "(lower(status) = ANY (ARRAY['a'::text]))"],
    ["text", "(status ~ '^a'::text)"],
    ["character varying(1)", "((status)::text = 'long'::text)"],
    ["integer", "((status > 1) OR (status < 0))"],
  ])("%s %s stays only in the database", (type, expression) => {
    const one = table("t", [column("status", type)], {
      constraints: [check("t_check", "status", expression)],
    });
    expect(
      Object.keys(Object(models(one)["t"]).fields.status).filter((key) => /enum|imum/.test(key)),
    ).toEqual([]);
    expect(said(one)).toEqual([`t: check t_check (${expression}): it stays only in the database`]);
  });

  test("an enumeration is in the baseline, a range is not", () => {
    const constraints = [
      check("in_list", "a", "(a = ANY (ARRAY[1, 2]))"),
      check("positive", "b", "(b >= 0)"),
    ];
    const one = table("t", [column("a", "integer"), column("b", "integer")], {
      constraints: [...constraints],
    });
    expect(adopt(schema([one])).tables[0]?.checks).toEqual([{ name: "in_list", column: "a", oneOf: [1, 2] }]);
    expect(said(one)).toEqual([
      "t: check positive ((b >= 0)): it stays in the database, and the field has its bounds",
    ]);
  });
});

describe("ids", () => {
  const baseline = (one: CatalogTable) => adopt(schema([one])).tables[0];

  test.each(["smallint", "integer", "bigint"])("a primary key of %s becomes id", (type) => {
    const one = table("film", [required("film_id", type)], { constraints: [primaryKey("film_id")] });
    expect(models(one)["film"]).not.toHaveProperty("id_type");
    expect(Object(models(one)["film"]).fields).toEqual({});
    expect(baseline(one)?.primaryKey).toEqual({ name: "t_pkey", columns: ["film_id"] });
  });

  test("a uuid stays one", () => {
    const id = required("id", "uuid", { default: "gen_random_uuid()" });
    const one = table("t", [id], { constraints: [primaryKey("id")] });
    expect(models(one)["t"]).toMatchObject({ id_type: "uuid", fields: {} });
    expect(baseline(one)?.columns).toEqual([
      { name: "id", type: "uuid", nullable: false, default: "random_uuid" },
    ]);
  });

  test.each([
    [{ identity: "by default" }, "identity"],
    [{ identity: "always" }, "sequence"],
    [{ sequence: true, default: "nextval('s'::regclass)" }, "sequence"],
    [{ default: "next_id()" }, "sequence"],
    [{}, undefined],
  ] as const)("%j", (more, value) => {
    const one = table("t", [required("id", "integer", more)], { constraints: [primaryKey("id")] });
    expect(baseline(one)?.columns[0]?.default).toBe(value);
  });

  test("a key of several columns stays unique next to new ids", () => {
    const one = table("t", [required("a", "integer"), required("b", "integer")], {
      constraints: [primaryKey("a", "b")],
      indexes: [unique("t_pkey", "a", "b")],
    });
    expect(models(one)["t"]).toMatchObject({ unique: [["a", "b"]] });
    expect(baseline(one)).toMatchObject({ primaryKey: { columns: ["a", "b"] }, indexes: [] });
  });

  test("a key of text stays, an id of text under another name", () => {
    const code = table("c", [required("code", "character(2)")], { constraints: [primaryKey("code")] });
    const text = table("t", [required("id", "text")], { constraints: [primaryKey("id")] });
    expect(models(code, text)).toMatchObject({
      c: { fields: { code: { type: "string", unique: true, required: true } } },
      t: { fields: { old_id: { type: "text", max_length: 676, unique: true, renamed_from: "id" } } },
    });
  });

  test("a key that refers to another table stays a relation", () => {
    const people = table("people", []);
    const accounts = table("accounts", [required("person_id", "integer")], {
      constraints: [primaryKey("person_id"), foreignKey("fk", "person_id", "people.id")],
    });
    expect(Object(models(accounts, people)["accounts"]).fields.person_id).toEqual({
      type: "belongs_to",
      relationship: { model: "people" },
      required: true,
      unique: true,
    });
  });

  test("a table without a key gets ids; one whose id is not a key, or whose key is not a field, stays out", () => {
    const heap = table("heap", [column("a", "text")], { constraints: [], kind: "table" });
    expect(models(heap)).toHaveProperty("heap");
    expect(baseline(heap)).not.toHaveProperty("primaryKey");
    const odd = table("odd", [required("id", "integer")], { constraints: [], kind: "table" });
    const net = table("net", [required("address", "inet")], { constraints: [primaryKey("address")] });
    expect(models(odd, net)).toEqual({});
    expect(said(odd, net)).toEqual([
      expect.stringMatching(/^! odd: the whole table: its column id is not a primary key/),
      expect.stringMatching(/^! net: the whole table: no field can hold address of its primary key/),
    ]);
  });
});

describe("runtime columns", () => {
  test("times are taken over, with soft delete", () => {
    const one = table("t", [
      required("created_at", "timestamp with time zone", { default: "now()" }),
      column("updated_at", "timestamp without time zone", { default: "CURRENT_TIMESTAMP" }),
      column("deleted_at", "timestamp with time zone"),
    ]);
    expect(models(one)["t"]).toMatchObject({ soft_delete: true, fields: {} });
    expect(Object(models(one)["t"]).access).toHaveProperty("restore");
    expect(adopt(schema([one])).tables[0]?.columns.slice(1)).toEqual([
      { name: "created_at", type: "timestamptz", nullable: false, default: "now" },
      { name: "updated_at", type: "timestamp", nullable: true },
      { name: "deleted_at", type: "timestamptz", nullable: true },
    ]);
  });

  test("others of these names are fields under new ones", () => {
    expect(fields(column("created_at", "integer"), column("deleted_at", "boolean"))).toEqual({
      old_created_at: { type: "integer", renamed_from: "created_at" },
      old_deleted_at: { type: "boolean", renamed_from: "deleted_at" },
    });
  });
});

describe("names", () => {
  test("of columns", () => {
    const long = `${"a".repeat(62)}é`;
    // biome-ignore format: many a line
    const names = [
      "first name", "first_name", "a__b", "_x", "2fa", "日本", 'say "hi"', "Größe", "FIRST_NAME", long,
      `${"a".repeat(62)}e`, "ID", "select",
    ];
    const made = Object(fields(...names.map((name) => column(name, "text"))));
    expect(Object.keys(made)).toEqual([
      ...["first_name_3", "first_name", "a_b", "x", "n2fa", "column_6", "say_hi", "Gro_e", "FIRST_NAME_2"],
      ...[`${"a".repeat(61)}_2`, `${"a".repeat(62)}e`, "old_ID", "select"],
    ]);
    expect(made["a_b"].renamed_from).toBe("a__b");
    expect(made["select"]).not.toHaveProperty("renamed_from");
  });

  test.each([
    ["film", "film", undefined],
    ["Film", "Film", undefined],
    ["my__films", "my_films", "my__films"],
    ["_films", "films", "_films"],
    ["my films", "my_films", undefined],
    ["映画", "table_1", undefined],
    ["users", "app_users", undefined],
    ["auth_tokens", "app_auth_tokens", undefined],
    ["auth", "app_auth", "auth"],
    ["storage", "app_storage", "storage"],
    ["pg_films", "app_pg_films", undefined],
  ])("of the table %s", (name, key, physical) => {
    const { models: made, tables } = adopt(schema([table(name, [])]));
    expect(Object.keys(made)).toEqual([key]);
    expect(Object(made[key]).table).toBe(physical);
    expect(tables).toMatchObject([{ name, model: key }]);
  });

  test("of tables that come too near each other", () => {
    const names = ["a b", "a_b", "A_B", "books", "books_aggregate"];
    expect(Object.keys(models(...names.map((name) => table(name, []))))).toEqual([
      ...["a_b_3", "a_b", "A_B_2", "books", "app_books_aggregate"],
    ]);
    const view = table("b_c", [], { kind: "view" });
    expect(Object.keys(models(table("b c", []), view))).toEqual(["b_c_2"]);
  });
});

describe("keys and indexes", () => {
  const columns = [
    required("a", "integer"),
    column("b", "character varying(100)"),
    column("c", "text"),
    column("d", "jsonb"),
    column("long", "character varying(1000)"),
    column("created_at", "timestamp with time zone"),
  ];
  const made = (...indexes: CatalogTable["indexes"]) => Object(models(table("t", columns, { indexes }))["t"]);

  test("single ones are in the fields, others in lists", () => {
    const found = made(
      unique("u1", "a"),
      unique("u2", "a", "b"),
      index("i1", ["b"]),
      index("i2", ["created_at"]),
    );
    expect(found).toMatchObject({
      fields: { a: { unique: true }, b: { index: true } },
      unique: [["a", "b"]],
      indexes: [["created_at"]],
    });
  });

  test("texts get the length that fits into an index entry", () => {
    expect(made(unique("u", "c")).fields.c).toEqual({ type: "text", max_length: 676, unique: true });
    expect(made(index("u", ["a", "b", "c"])).fields.c.max_length).toBe(574);
  });

  test("all values of an enumeration fit into an index entry", () => {
    const state = column("state", "mood", { enumValues: ["ok"] });
    const one = table("t", [...columns, state], { indexes: [index("i", ["c", "state"])] });
    expect(Object(models(one)["t"]).fields).toMatchObject({
      ...{ c: { max_length: 674 }, state: { type: "text", enum: ["ok"] } },
    });
    expect(Object(models(one)["t"]).fields.state).not.toHaveProperty("max_length");
  });

  test.each([
    ["a partial one", index("i", ["a"], { predicate: "(a > 1)" }), "it covers only some of the rows"],
    ["an expression", { ...index("i", []), columns: null }, "it is not a plain index"],
    ["an unfinished one", index("i", ["a"], { valid: false }), "it is not valid (its creation failed)"],
    ["a type without order", index("i", ["d"]), "the type of a column cannot be indexed"],
    ["one too long", index("i", ["long"]), "its values can be too long for an index of the models"],
    ["one on ids", index("i", ["id"]), "ids already have an index"],
    ["one on a server's column", unique("i", "created_at", "a"), "the service sets one of its columns"],
  ])("%s stays in the database", (_, one, why) => {
    const remarks = said(table("t", columns, { indexes: [one] }));
    expect(remarks).toContain(
      `t: ${one.unique ? "unique index" : "index"} i: ${why}: it stays in the database, but not in the models`,
    );
    expect(adopt(schema([table("t", columns, { indexes: [one] })])).tables[0]?.indexes).toEqual([]);
  });

  test("of two that are the same one stays out", () => {
    const one = table("t", columns, { indexes: [index("i1", ["a"]), index("i2", ["a"])] });
    expect(said(one)).toEqual([
      "t: index i2: another index has the same columns: it stays in the database, but not in the models",
    ]);
  });

  test("with soft delete a unique index can cover only live rows", () => {
    const soft = [...columns, column("deleted_at", "timestamp with time zone")];
    const live = { ...unique("u", "a"), predicate: "(deleted_at IS NULL)" };
    const one = table("t", soft, { indexes: [live, unique("v", "a", "b")] });
    expect(adopt(schema([one])).tables[0]?.indexes).toMatchObject([{ live: true }, { live: false }]);
    expect(said(one)).toEqual([
      expect.stringMatching(/^t: unique index v: it will cover only rows that are not deleted/),
    ]);
  });
});

describe("relations", () => {
  const authors = table("authors", [required("code", "character(3)")], { indexes: [unique("u", "code")] });
  const books = (on: CatalogColumn, ...constraints: CatalogTable["constraints"]) =>
    table("books", [on], { constraints: [primaryKey("id"), ...constraints].map((one) => one), columns: [] });
  const book = (on: CatalogColumn, key: CatalogTable["constraints"][number]) => ({
    ...books(on, key),
    columns: [serialId, on],
  });

  test.each([
    ["no action", true, undefined],
    ["restrict", true, undefined],
    ["cascade", true, "cascade"],
    ["set null", true, "set_null"],
    ["set null", false, undefined],
  ] as const)("ON DELETE %s, nullable %s", (rule, nullable, expected) => {
    const one = book(
      column("author_id", "integer", { nullable }),
      foreignKey("fk", "author_id", "authors.id", rule),
    );
    const { relationship } = Object(models(authors, one)["books"]).fields.author_id;
    expect(relationship).toEqual({
      model: "authors",
      ...(expected === undefined ? {} : { on_delete: expected }),
    });
  });

  test("to a unique field, with the way back", () => {
    const one = book(column("author", "character(3)"), foreignKey("fk", "author", "authors.code"));
    const made = models(authors, one);
    expect(Object(made["books"]).fields.author.relationship).toEqual({
      model: "authors",
      foreign_key: "code",
    });
    expect(Object(made["authors"]).fields.books).toEqual({
      type: "has_many",
      relationship: { model: "books", foreign_key: "author" },
    });
    expect(adopt(schema([authors, one])).tables[1]?.foreignKeys).toEqual([
      {
        name: "fk",
        column: "author",
        references: { table: "authors", column: "code" },
        onDelete: "restrict",
      },
    ]);
  });

  test("two to one table, and to itself: no way back", () => {
    const one = table(
      "matches",
      [column("home", "integer"), column("away", "integer"), column("first", "integer")],
      {
        constraints: [
          primaryKey("id"),
          foreignKey("f1", "home", "teams.id"),
          foreignKey("f2", "away", "teams.id"),
          foreignKey("f3", "first", "matches.id"),
        ],
      },
    );
    const made = models({ ...one, columns: [serialId, ...one.columns] }, table("teams", []));
    expect(Object.values(Object(made["matches"]).fields)).toHaveLength(3);
    expect(Object(made["teams"]).fields).toEqual({});
  });

  // biome-ignore format: one case a line
  test.each([
    ["several columns", foreignKey("fk", "author_id.code", "authors.id.code"), "it has several columns"],
    ["another schema",
      { ...foreignKey("fk", "author_id", "authors.id"), references: { schema: "other", table: "authors", columns: ["id"], onDelete: "cascade" } },
      "its table does not become a model"],
    ["SET DEFAULT", foreignKey("fk", "author_id", "authors.id", "set default"), "relations do not support ON DELETE SET DEFAULT"],
    ["what is not unique", foreignKey("fk", "author_id", "authors.name"), "one of its columns is not a field"],
  ] as const)("%s: a plain field", (_, key, why) => {
    const one = book(column("author_id", "integer"), key);
    expect(Object(models(authors, one)["books"]).fields.author_id).toEqual({ type: "integer" });
    expect(said(authors, one)[0]).toContain(`${why}: it stays in the database, but does not become a relation`);
  });

  test("of keys that refer to each other in a circle, at least one is not a relation", () => {
    const one = table("a", [required("a_id", "integer")], {
      constraints: [primaryKey("a_id"), foreignKey("f", "a_id", "b.b_id")],
    });
    const two = table("b", [required("b_id", "integer")], {
      constraints: [primaryKey("b_id"), foreignKey("g", "b_id", "a.a_id")],
    });
    const made = models(one, two);
    expect(Object(made["a"]).fields.a_id.type).toBe("belongs_to");
    expect(Object(made["b"]).fields.b_id.type).toBe("integer");
    expect(said(one, two)).toContainEqual(expect.stringContaining("it is part of a cycle of foreign keys"));
  });

  test("a text that points at no model fits into its index like any other", () => {
    const one = {
      ...book(column("author", "text"), foreignKey("fk", "author", "gone.id")),
      indexes: [index("i", ["author"])],
    };
    expect(Object(models(one)["books"]).fields.author).toEqual({
      type: "text",
      max_length: 676,
      index: true,
    });
  });

  test("the index of a reference need not be declared, unless another begins with it", () => {
    const key = foreignKey("fk", "author_id", "authors.id");
    const on = column("author_id", "integer");
    const plain = { ...book(on, key), indexes: [index("i", ["author_id"])] };
    expect(Object(models(authors, plain)["books"]).fields.author_id).not.toHaveProperty("index");
    expect(adopt(schema([authors, plain])).tables[1]?.indexes).toHaveLength(1);
    const more = {
      ...plain,
      columns: [serialId, on, column("n", "integer")],
      indexes: [...plain.indexes, index("j", ["author_id", "n"])],
    };
    expect(Object(models(authors, more)["books"]).fields.author_id.index).toBe(true);
  });
});

describe("what blocks the next migration", () => {
  test("views on columns that get another type", () => {
    const one = table("t", [column("price", "real"), column("title", "text")]);
    const dependents = [
      { table: "t", column: "price", dependent: "view prices" },
      { table: "t", column: "title", dependent: "view titles" },
    ];
    // biome-ignore format: one case a line
    expect(adopt(schema([one], dependents)).remarks).toEqual([
      expect.objectContaining({ what: "column price (real)" }),
      expect.objectContaining({ what: "view prices", loud: true, outcome: expect.stringContaining("DROP IT BEFORE") }),
    ]);
  });

  test("names that the service takes, where no migration gives them up", () => {
    // biome-ignore format: many a line
    const own = {
      columns: ["email"], unique: true, method: "btree", predicate: null, definition: "", valid: true,
    };
    const renamed = table("users", [serialId, column("email", "text")], {
      constraints: [primaryKey("id")],
      indexes: [
        { ...own, name: "users_email_key" },
        { ...own, name: "users_phone_number_key", columns: null },
      ],
    });
    const view = { ...table("auth_mfa", [column("id", "integer")]), kind: "view" as const };
    expect(said(renamed, view).filter((text) => text.includes("RENAME IT"))).toEqual([
      expect.stringMatching(/^! users: index users_phone_number_key: the service needs this name/),
      expect.stringMatching(/^! auth_mfa: view auth_mfa: /),
    ]);
  });

  test("foreign keys of several columns to a key that goes", () => {
    const one = table("a", [required("x", "integer"), required("y", "integer")], {
      constraints: [primaryKey("x", "y")],
    });
    const two = table("b", [serialId, column("x", "integer"), column("y", "integer")], {
      constraints: [primaryKey("id"), foreignKey("fk", "x.y", "a.x.y")],
    });
    expect(said(one, two)).toContainEqual(expect.stringMatching(/^! b: foreign key fk: .*DROP IT BEFORE/));
  });
});

describe("the rest", () => {
  test("every operation is only for admins", () => {
    const rules = Object(models(table("t", []))["t"]).access;
    expect(Object.keys(rules)).toEqual(["fetch", "search", "create", "update", "delete", "destroy"]);
    expect(new Set(Object.values(rules).map((rule) => JSON.stringify(rule)))).toEqual(
      new Set(['[{"role":"admin"}]']),
    );
  });

  test("comments become descriptions", () => {
    const one = table("t", [column("a", "text", { comment: "What it is." })], { comment: "A table." });
    expect(models(one)["t"]).toMatchObject({
      description: "A table.",
      fields: { a: { description: "What it is." } },
    });
  });

  test("views, partitions, triggers and other schemas are reported", () => {
    const tables = [
      table("t", [], { triggers: ["touch"] }),
      table("v", [], { kind: "view" }),
      table("p", [], { kind: "partitioned table" }),
      table("p_1", [], { kind: "partition" }),
      table("kirak_migrations", []),
    ];
    const { models: made, remarks } = adopt({ ...schema(tables), others: [{ name: "sales", tables: 2 }] });
    expect(Object.keys(made)).toEqual(["t"]);
    // biome-ignore format: one case a line
    expect(remarks.map(({ what }) => what)).toEqual([
      "trigger touch", "partitioned tables p", "partitions p_1", "views v", "schema sales (2 tables)",
    ]);
  });

  test("row security that hides rows is an urgent message", () => {
    expect(said(table("t", [], { rowSecurity: true }))).toEqual([
      "! t: row security: it hides rows from this role, so the service does not see them",
    ]);
  });

  test("an empty schema gives nothing", () => {
    expect(adopt(schema([]))).toEqual({ models: {}, tables: [], remarks: [] });
  });
});
