import { expect, test } from "vitest";
import { printed } from "./printed.ts";

test("invalid-stored-column", async () => {
  const models = `{
    "no_mark": { "soft_delete": true, "columns": { "deleted_at": null }, "fields": {}, "access": { "$all": [{ "role": "a" }] } },
    "no_delete": { "columns": { "deleted_at": "removed" }, "fields": {}, "access": { "$all": [{ "role": "a" }] } },
    "no_id": { "columns": { "id": null }, "fields": {}, "access": { "$all": [{ "role": "a" }] } },
    "seen": { "view": true, "fields": {}, "access": { "$all": [{ "role": "a" }] } },
    "texts": { "id_type": "string", "columns": { "id": { "generated": true } }, "fields": {}, "access": { "$all": [{ "role": "a" }] } },
    "odd": {
      "soft_delete": true,
      "columns": {
        "id": { "nullable": true }, "created_at": "at", "updated_at": "at",
        "deleted_at": { "column": "gone\\u0000", "generated": true }
      },
      "fields": {
        "a": { "type": "integer", "column": "id" },
        "at": { "type": "datetime" },
        "b": { "type": "string" },
        "c": { "type": "string", "column": "b" }
      },
      "access": { "$all": [{ "role": "a" }] }
    },
    "shares": {
      "columns": { "id": { "column": "texts_id", "generated": false } },
      "fields": { "texts_id": { "type": "belongs_to", "relationship": { "model": "texts" } } },
      "access": { "$all": [{ "role": "a" }] }
    },
    "optional": {
      "columns": { "id": "odd_id" },
      "fields": { "odd_id": { "type": "belongs_to", "relationship": { "model": "odd" } } },
      "access": { "$all": [{ "role": "a" }] }
    }
  }`;
  expect(await printed("invalid-stored-column", models)).toMatchInlineSnapshot(`
    models.json:2:66 null - error invalid-stored-column: "columns.deleted_at" of model "no_mark" is null, but soft delete needs the column
      name the column, or remove "soft_delete"
    models.json:3:47 "removed" - error invalid-stored-column: "columns.deleted_at" of model "no_delete" has no effect without "soft_delete"
      add "soft_delete": true, or declare a datetime field
    models.json:4:35 null - error invalid-stored-column: model "no_id" has no id, so it can only be read
      add "read_only": true or "view": true
    models.json:5:15 "view" - error invalid-stored-column: model "seen" is a view and does not name the column of its id
      write "columns": { "id": "…" } with a unique column, or "columns": { "id": null }
    models.json:6:71 true - error invalid-stored-column: the id of model "texts" is a string and generated
      remove "generated": callers send an id that is a string
    models.json:10:15 { "nullable": true } - error invalid-stored-column: "columns.id" of model "odd" cannot be null
      a column with nulls is not an id
    models.json:10:71 "at" - error invalid-stored-column: "updated_at" and "created_at" of model "odd" have the same column "at"
    models.json:11:23 { "column": "gone\\u0000", "generated": true } - error invalid-stored-column: "columns.deleted_at" of model "odd" contains a NUL character
    models.json:11:62 true - error invalid-stored-column: "columns.deleted_at" of model "odd" is set by the server
      remove "generated"
    models.json:14:45 "id" - error invalid-stored-column: "id" and "a" of model "odd" have the same column "id"
      only a belongs_to can have the column of the id
    models.json:15:9 "at" - error invalid-stored-column: "updated_at" and "at" of model "odd" have the same column "at"
      remove one of them
    models.json:17:44 "b" - error invalid-stored-column: "b" and "c" of model "odd" have the same column "b"
      remove one of them
    models.json:22:63 false - error invalid-stored-column: field "texts_id" of model "shares" has the column of the id, which describes the column
      remove this key
    models.json:23:19 "texts_id" - error invalid-stored-column: field "texts_id" of model "shares" has the column of the id, and refers to a column of another type
      change "id_type"
    models.json:28:19 "odd_id" - error invalid-stored-column: field "odd_id" of model "optional" has the column of the id, so create must send it
      add "required": true
  `);
});

test("names of schemas, tables and columns", async () => {
  const models = `{
    "one": { "schema_name": "pg_catalog", "fields": { "a": { "type": "string", "column": "xmin" } }, "access": { "$all": [{ "role": "a" }] } },
    "two": {
      "schema_name": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
      "table": "Order Details", "columns": { "created_at": null },
      "fields": { "created_at": { "type": "date" }, "b": { "type": "string", "column": "größe\\u0000" } },
      "access": { "$all": [{ "role": "a" }] }
    },
    "app_users": { "table": "users", "schema_name": "public", "fields": {}, "access": { "$all": [{ "role": "a" }] } },
    "app_tokens": { "table": "auth_tokens", "fields": {}, "access": { "$all": [{ "role": "a" }] } }
  }`;
  expect(await printed("reserved-table", models)).toMatchInlineSnapshot(`
    models.json:2:29 "pg_catalog" - error reserved-table: "schema_name" of model "one" is a schema of PostgreSQL itself
    models.json:2:55 "a" - error reserved-field: "a" of model "one" is a system column of PostgreSQL
      choose another name
    models.json:4:22 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" - error invalid-name: "schema_name" of model "two" has 64 bytes, more than 63
    models.json:6:19 "created_at" - error reserved-field: "created_at" of model "two" is a runtime column
      write "created_at_column": { "column": "created_at", … }
    models.json:6:88 "größe\\u0000" - error invalid-name: "column" of field "b" of model "two" contains a NUL character
    models.json:10:30 "auth_tokens" - error reserved-table: table "auth_tokens" of model "app_tokens" belongs to the service itself
      if your database has such a table, move Kirak's own tables: "service_schema" in the manifest
  `);
  const moved = { models, manifest: `{ "service_schema": "public" }` };
  expect(await printed("reserved-table", moved)).toMatchInlineSnapshot(`
    models.json:2:29 "pg_catalog" - error reserved-table: "schema_name" of model "one" is a schema of PostgreSQL itself
    models.json:2:55 "a" - error reserved-field: "a" of model "one" is a system column of PostgreSQL
      choose another name
    models.json:4:22 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" - error invalid-name: "schema_name" of model "two" has 64 bytes, more than 63
    models.json:6:19 "created_at" - error reserved-field: "created_at" of model "two" is a runtime column
      write "created_at_column": { "column": "created_at", … }
    models.json:6:88 "größe\\u0000" - error invalid-name: "column" of field "b" of model "two" contains a NUL character
    models.json:9:29 "users" - error reserved-table: table "users" of model "app_users" belongs to the service itself
      if your database has such a table, move Kirak's own tables: "service_schema" in the manifest
    models.json:10:30 "auth_tokens" - error reserved-table: table "auth_tokens" of model "app_tokens" belongs to the service itself
      if your database has such a table, move Kirak's own tables: "service_schema" in the manifest
  `);
});

test("invalid-order-key", async () => {
  const models = `{
    "rows": { "key": ["a"], "fields": { "a": { "type": "integer" } }, "access": { "$all": [{ "role": "a" }] } },
    "lines": {
      "read_only": true, "columns": { "id": null, "updated_at": null }, "key": ["a", "lne", "b", "updated_at", "created_at"],
      "fields": { "a": { "type": "integer" }, "line": { "type": "uuid" }, "b": { "type": "json" } },
      "access": { "$all": [{ "role": "a" }] }
    }
  }`;
  expect(await printed("invalid-order-key", models)).toMatchInlineSnapshot(`
    models.json:2:22 ["a"] - error invalid-order-key: "key" of model "rows" has no effect: rows have an id
      remove it, or write "columns": { "id": null }
    models.json:4:86 "lne" - error invalid-order-key: "lne" in the key of model "lines" is not a field
      did you mean "line"?
    models.json:4:93 "b" - error invalid-order-key: "b" in the key of model "lines" has the type "json", which has no order
    models.json:4:98 "updated_at" - error invalid-order-key: "updated_at" in the key of model "lines" is not a field
      did you mean "created_at"?
  `);
});

test("read-only-model", async () => {
  const models = `{
    "seen": {
      "view": true, "columns": { "id": null }, "trigger_messages": true,
      "fields": { "a": { "type": "string", "preset": "{role}" }, "b": { "type": "string", "nullable": false } },
      "access": {
        "fetch": [{ "role": "a" }], "create": [{ "role": "a" }], "upsert": [{ "role": "a" }], "update": [],
        "fields": { "b": { "write": ["a"] } }
      },
      "rate_limit": { "create": { "max_requests": 1, "window_seconds": 1 }, "fetch": { "max_requests": 1, "window_seconds": 1 } }
    }
  }`;
  expect(await printed("read-only-model", models)).toMatchInlineSnapshot(`
    models.json:3:48 "trigger_messages" - error read-only-model: model "seen" can only be read, so "trigger_messages" has no effect
      remove it
    models.json:4:54 "{role}" - error read-only-model: model "seen" can only be read, so the preset of "a" has no effect
      remove it
    models.json:6:37 "create" - error read-only-model: model "seen" can only be read, so its rules for "create" have no effect
      remove them
    models.json:6:66 "upsert" - error read-only-model: model "seen" can only be read, so its rules for "upsert" have no effect
      remove them
    models.json:7:21 "b" - error read-only-model: model "seen" can only be read, so "write" of "b" has no effect
      remove it
    models.json:9:23 "create" - warning rate-limit-without-effect: "create" in the rate limit of model "seen" has no effect: the model can only be read
      remove it
  `);
});

test("invalid-db-type", async () => {
  const models = `{
    "books": {
      "columns": { "id": { "db_type": "text" }, "created_at": { "db_type": "timestmp(6)" }, "updated_at": { "db_type": "timestamp" } },
      "fields": {
        "a": { "type": "string", "db_type": "character varying(20)" },
        "b": { "type": "integer", "db_type": "bigint" },
        "c": { "type": "string", "db_type": "mood" },
        "d": { "type": "text", "db_type": "citxt" },
        "e": { "type": "float[]", "db_type": "real" },
        "f": { "type": "uuid", "db_type": "uuid" },
        "g": { "type": "decimal", "db_type": "numeric(8,2)", "precision": 8, "scale": 2 },
        "h": { "type": "string", "db_type": "inet", "searchable": true },
        "i": { "type": "has_many", "db_type": "text", "relationship": { "model": "books", "foreign_key": "j" } },
        "j": { "type": "belongs_to", "db_type": "smallint", "out_of_range": "null", "relationship": { "model": "books" } },
        "k": { "type": "string", "out_of_range": "null" },
        "l": { "type": "float[]", "out_of_range": "null" },
        "m": { "type": "integer", "db_type": "smallint", "default": 40000 }
      },
      "access": { "$all": [{ "role": "a" }] }
    }
  }`;
  expect(await printed("invalid-db-type", models)).toMatchInlineSnapshot(`
    models.json:3:39 "text" - error invalid-db-type: the db_type "text" of "columns.id" of model "books" does not fit the type "integer"
      types that fit: smallint, integer, bigint
    models.json:3:76 "timestmp(6)" - error invalid-db-type: the db_type "timestmp(6)" of "columns.created_at" of model "books" is not a known column type
      write "timestamp(6)"
    models.json:5:45 "character varying(20)" - error invalid-db-type: the db_type "character varying(20)" of field "a" of model "books" is another name of a type
      write "varchar(20)"
    models.json:6:46 "bigint" - error invalid-db-type: the db_type "bigint" of field "b" of model "books" does not fit the type "integer"
      types that fit: smallint, integer
    models.json:7:45 "mood" - error invalid-db-type: the db_type "mood" of field "c" of model "books" does not fit the type "string"
      for an enum type, add "enum" with all its values; types that fit: varchar, char(n), text, citext, name, inet, cidr, macaddr, ltree, xml, money, interval, tsvector
    models.json:8:43 "citxt" - error invalid-db-type: the db_type "citxt" of field "d" of model "books" does not fit the type "text"
      did you mean "citext"?
    models.json:9:46 "real" - error invalid-db-type: the db_type "real" of field "e" of model "books" does not fit the type "float[]"
      types that fit: real[], double precision[]
    models.json:10:43 "uuid" - error invalid-db-type: the db_type "uuid" of field "f" of model "books" does not fit the type "uuid"
      remove it
    models.json:11:75 8 - error invalid-db-type: the digits of field "g" of model "books" are those of its db_type
      remove this key
    models.json:11:87 2 - error invalid-db-type: the digits of field "g" of model "books" are those of its db_type
      remove this key
    models.json:12:53 "searchable" - error inapplicable-option: "searchable" of field "h" of model "books" does not apply to a column of the type "inet"
    models.json:13:36 "db_type" - error inapplicable-option: "db_type" of field "i" of model "books" does not apply to the type "has_many"
    models.json:14:61 "out_of_range" - error inapplicable-option: "out_of_range" of field "j" of model "books" does not apply to a foreign key
    models.json:15:34 "out_of_range" - error inapplicable-option: "out_of_range" of field "k" of model "books" does not apply to the type "string"
    models.json:17:69 40000 - error invalid-default: the default 40000 of field "m" of model "books" is greater than 32767
  `);
});

test("enum-type-values", async () => {
  const models = `{
    "people": {
      "fields": { "mood": { "type": "string", "db_type": "mood", "enum": ["sad", "ok"] } },
      "access": { "$all": [{ "role": "a" }] }
    },
    "pets": {
      "fields": {
        "same": { "type": "string[]", "db_type": "mood[]", "enum": ["sad", "ok"] },
        "turned": { "type": "text", "db_type": "mood", "enum": ["ok", "sad"] }
      },
      "access": { "$all": [{ "role": "a" }] }
    }
  }`;
  expect(await printed("enum-type-values", models)).toMatchInlineSnapshot(`
    models.json:9:65 "ok" - error enum-type-values: "enum" of field "turned" of model "pets" differs from "enum" of field "mood" of model "people", and both have the type "mood"
      list the values of the type in its order: ["sad","ok"]
  `);
});

test("generated-field", async () => {
  const models = `{
    "books": {
      "fields": {
        "a": { "type": "integer", "generated": true, "default": 1 },
        "b": { "type": "integer", "generated": true, "preset": "{user_id}", "default": { "sql": true } },
        "c": { "type": "text", "db_type": "tsvector" },
        "d": { "type": "integer", "default": { "sql": true }, "preset": "{user_id}" }
      },
      "access": {
        "fetch": [{ "role": "a" }], "update": [{ "role": "a", "fields": ["a", "d"] }],
        "fields": { "c": { "write": ["a"] }, "a": { "read": ["a"] } }
      }
    }
  }`;
  expect(await printed("generated-field", models)).toMatchInlineSnapshot(`
    models.json:4:54 "default" - error generated-field: field "a" of model "books" is generated, so "default" has no effect
      remove it
    models.json:5:54 "preset" - error generated-field: field "b" of model "books" is generated, so "preset" has no effect
      remove it
    models.json:5:64 "{user_id}" - error invalid-preset: the preset "{user_id}" of field "b" of model "books" cannot be combined with a default
      remove one of them
    models.json:5:77 "default" - error generated-field: field "b" of model "books" is generated, so "default" has no effect
      remove it
    models.json:7:73 "{user_id}" - error invalid-preset: the preset "{user_id}" of field "d" of model "books" cannot be combined with a default
      remove one of them
    models.json:10:74 "a" - error rule-fields: a rule for "update" of model "books" names "a", which only the database fills in
      did you mean "d"?
    models.json:11:21 "c" - error generated-field: field "c" of model "books" is a tsvector, which only the database writes, so no role can write it
      remove "write"
  `);
});

test("no column: in joins, conditions, indexes, presets and gates", async () => {
  const models = `{
    "lines": {
      "read_only": true, "columns": { "id": null, "created_at": null },
      "unique": [["a"]], "indexes": [["created_at"]],
      "fields": {
        "a": { "type": "integer" },
        "books": { "type": "has_many", "relationship": { "model": "books", "foreign_key": "line_id" } }
      },
      "access": {
        "$all": [{ "role": "a", "condition": "created_at < now() AND id = 1" }],
        "fields": { "created_at": { "read": ["a"] } }
      }
    },
    "books": {
      "fields": {
        "line_id": { "type": "belongs_to", "relationship": { "model": "lines" } },
        "a": { "type": "belongs_to", "relationship": { "model": "lines", "foreign_key": "a" } }
      },
      "access": { "$all": [{ "role": "a", "fields": ["a"] }] }
    }
  }`;
  expect(await printed("invalid-reference", models)).toMatchInlineSnapshot(`
    models.json:4:39 "created_at" - error unknown-key-field: "created_at" in an index of model "lines" is not a field
      did you mean "updated_at"?
    models.json:10:47 created_at - error condition-field: model "lines" has no field "created_at"
      did you mean "updated_at"?
    models.json:10:70 id - error condition-field: model "lines" has no field "id"
    models.json:11:21 "created_at" - error unknown-key-field: "created_at" in the access of model "lines" is not a field
      did you mean "updated_at"?
    models.json:16:60 { "model": "lines" } - error invalid-reference: field "line_id" of model "books" refers to model "lines", whose rows have no id
      declare a plain field instead: such a model cannot be joined
    models.json:17:89 "a" - error invalid-reference: field "a" of model "books" refers to model "lines", whose rows have no id
      declare a plain field instead: such a model cannot be joined
    models.json:19:43 "fields" - error rule-fields: a rule for "$all" of model "books" names fields, and some of its operations send none
      remove them; rules for create, update, upsert, restore can name fields
  `);
});

test("a condition compares a column of a printed type only for equality", async () => {
  const models = `{
    "hosts": {
      "fields": { "ip": { "type": "string", "db_type": "inet" }, "name": { "type": "string", "db_type": "citext" } },
      "access": {
        "fetch": [{ "role": "a", "condition": "ip = '::1' AND name LIKE 'a%' AND name < 'b'" }],
        "count": [{ "role": "a", "condition": "ip LIKE '10.%'" }, { "role": "b", "condition": "ip < '10.0.0.1'" }]
      }
    }
  }`;
  expect(await printed("condition-operator", models)).toMatchInlineSnapshot(`
    models.json:6:51 LIKE - error condition-operator: "ip" is not text, which LIKE needs
    models.json:6:99 < - error condition-operator: "ip" has no order: it is a column whose type has only equality
  `);
});

test("hooks do not fill in what the database does, or rows of a read-only model", async () => {
  const models = `{
    "books": {
      "fields": {
        "a": { "type": "integer", "required": true, "generated": true },
        "b": { "type": "integer", "required": true, "default": { "sql": true } }
      },
      "access": { "$all": [{ "role": "a" }] }
    },
    "seen": {
      "read_only": true, "fields": { "a": { "type": "integer", "required": true } }, "access": { "$all": [{ "role": "a" }] }
    }
  }`;
  const fills = (names: string) => `export const fills = { before_create: [${names}] } as const;`;
  const hooks = { "hooks/books.ts": fills(`"a", "b"`), "hooks/seen.ts": fills(`"a"`) };
  expect(await printed("invalid-fills", { models, ...hooks })).toMatchInlineSnapshot(`
    hooks/books.ts:1:40 "a" - error invalid-fills: "a" in the list before_create of model "books" has no effect: only the database fills it in
      remove it: new records can omit this field anyway
    hooks/books.ts:1:45 "b" - error invalid-fills: "b" in the list before_create of model "books" has no effect: it has a default
      remove it: new records can omit this field anyway
    hooks/seen.ts:1:40 "a" - error invalid-fills: "a" in the list before_create of model "seen" has no effect: the model can only be read
      remove it
  `);
});

test("the accounts are as Kirak makes them", async () => {
  const models = `{ "users": {
    "schema_name": "a", "columns": { "id": "b" }, "key": ["a"], "read_only": true, "view": true, "trigger_messages": true,
    "fields": { "nick": { "type": "string", "column": "email" } }
  } }`;
  expect(await printed("built-in-key", models)).toMatchInlineSnapshot(`
    models.json:2:5 "schema_name" - error built-in-key: "schema_name" of model "users" cannot be set: the accounts are built in
      remove it; an entry adds fields, relations, keys, indexes and read rules
    models.json:2:25 "columns" - error built-in-key: "columns" of model "users" cannot be set: the accounts are built in
      remove it; an entry adds fields, relations, keys, indexes and read rules
    models.json:2:51 "key" - error built-in-key: "key" of model "users" cannot be set: the accounts are built in
      remove it; an entry adds fields, relations, keys, indexes and read rules
    models.json:2:65 "read_only" - error built-in-key: "read_only" of model "users" cannot be set: the accounts are built in
      remove it; an entry adds fields, relations, keys, indexes and read rules
    models.json:2:84 "view" - error built-in-key: "view" of model "users" cannot be set: the accounts are built in
      remove it; an entry adds fields, relations, keys, indexes and read rules
    models.json:2:98 "trigger_messages" - error built-in-key: "trigger_messages" of model "users" cannot be set: the accounts are built in
      remove it; an entry adds fields, relations, keys, indexes and read rules
    models.json:3:55 "email" - error invalid-stored-column: "email" and "nick" of model "users" have the same column "email"
      remove one of them
  `);
});
