import { expect, test } from "vitest";
import { printed } from "./printed.ts";

test("missing-field-type", async () => {
  const models = `{ "books": { "fields": { "title": { "required": true } }, "access": { "fetch": [{ "role": "*" }] } } }`;
  expect(await printed("missing-field-type", models)).toMatchInlineSnapshot(`
    models.json:1:26 "title" - error missing-field-type: field "title" of model "books" has no type
      add a "type", such as "string"
  `);
});

test("inapplicable-option", async () => {
  const models = `{
    "books": {
      "access": { "fetch": [{ "role": "*" }], "fields": { "pin": { "read": ["admin"] } } },
      "fields": {
        "pages": { "type": "integer", "max_length": 3, "searchable": true },
        "pin": { "type": "password", "unique": true, "default": "123456", "preset": "{role}" },
        "notes": { "type": "json", "index": true, "preset": "{user_id}", "enum": ["a"] },
        "tags": { "type": "string[]", "preset": "{role}" },
        "author_id": { "type": "belongs_to", "pattern": "x", "relationship": { "model": "authors" } }
      }
    },
    "authors": {
      "fields": {
        "name": { "type": "string" },
        "books": {
          "type": "has_many", "required": true, "preset": "{user_id}",
          "relationship": { "model": "books", "foreign_key": "author_id", "on_delete": "cascade" }
        }
      },
      "access": { "fetch": [{ "role": "*" }] }
    },
    "users": { "fields": {}, "access": { "fields": { "password": { "read": ["admin"] } } } }
  }`;
  expect(await printed("inapplicable-option", models)).toMatchInlineSnapshot(`
    models.json:3:59 "pin" - error inapplicable-option: "pin" in the access of model "books" is a password, which no one can read; it can have only "write"
    models.json:5:39 "max_length" - error inapplicable-option: "max_length" of field "pages" of model "books" does not apply to the type "integer"
    models.json:5:56 "searchable" - error inapplicable-option: "searchable" of field "pages" of model "books" does not apply to the type "integer"
    models.json:6:38 "unique" - error inapplicable-option: "unique" of field "pin" of model "books" does not apply to the type "password"
    models.json:6:54 "default" - error inapplicable-option: "default" of field "pin" of model "books" does not apply to the type "password"
    models.json:6:75 "preset" - error inapplicable-option: "preset" of field "pin" of model "books" does not apply to the type "password"
    models.json:6:85 "{role}" - error invalid-preset: the preset "{role}" of field "pin" of model "books" cannot be combined with a default
      remove one of them
    models.json:7:36 "index" - error inapplicable-option: "index" of field "notes" of model "books" does not apply to the type "json"
    models.json:7:61 "{user_id}" - error invalid-preset: the preset "{user_id}" of field "notes" of model "books" does not fit the type "json"
      it fits integer, bigint, string, text, and a reference to "users"
    models.json:7:74 "enum" - error inapplicable-option: "enum" of field "notes" of model "books" does not apply to the type "json"
    models.json:8:49 "{role}" - error invalid-preset: the preset "{role}" of field "tags" of model "books" does not fit the type "string[]"
      it fits string, text
    models.json:9:46 "pattern" - error inapplicable-option: "pattern" of field "author_id" of model "books" does not apply to a foreign key
    models.json:16:31 "required" - error inapplicable-option: "required" of field "books" of model "authors" does not apply to the type "has_many"
    models.json:16:49 "preset" - error inapplicable-option: "preset" of field "books" of model "authors" does not apply to the type "has_many"
    models.json:17:88 "cascade" - error inapplicable-option: "on_delete" of field "books" of model "authors" belongs to the other side, which holds the foreign key
    models.json:22:54 "password" - error inapplicable-option: "password" in the access of model "users" is a password, which no one can read; it can have only "write"
  `);
});

test("invalid-enum", async () => {
  const models = `{ "books": {
    "fields": {
      "status": { "type": "string", "max_length": 5, "enum": ["draft", "published", "draft"] },
      "stars": { "type": "integer", "enum": [1, 2.5, "three"] }
    },
    "access": { "fetch": [{ "role": "*" }] }
  } }`;
  expect(await printed("invalid-enum", models)).toMatchInlineSnapshot(`
    models.json:3:72 "published" - error invalid-enum: the enum value "published" of field "status" of model "books" is longer than 5 characters
    models.json:3:85 "draft" - error invalid-enum: the enum value "draft" of field "status" of model "books" appears twice
    models.json:4:49 2.5 - error invalid-enum: the enum value 2.5 of field "stars" of model "books" is not an integer of 32 bits
    models.json:4:54 "three" - error invalid-enum: the enum value "three" of field "stars" of model "books" is not an integer of 32 bits
  `);
});

test("invalid-default", async () => {
  const models = `{ "books": {
    "fields": {
      "status": { "type": "string", "enum": ["draft", "published"], "default": "new" },
      "pages": { "type": "integer", "minimum": 1, "default": 0 },
      "isbn": { "type": "string", "pattern": "^[0-9]{13}$", "default": "none" },
      "bought_at": { "type": "datetime", "default": "now()" },
      "released_on": { "type": "date", "default": "2025-02-30" }, "price": { "type": "integer", "default": "5" },
      "title": { "type": "string", "required": true, "default": null },
      "facts": { "type": "json", "default": { "a": ["\\u0000"] } },
      "more": { "type": "json", "default": { "\\ud800": 1 } },
      "fine": { "type": "json", "default": { "a": ["\\ud83d\\ude00"] } }
    },
    "access": { "fetch": [{ "role": "*" }] }
  } }`;
  expect(await printed("invalid-default", models)).toMatchInlineSnapshot(`
    models.json:3:80 "new" - error invalid-default: the default "new" of field "status" of model "books" is not one of "draft", "published"
    models.json:4:62 0 - error invalid-default: the default 0 of field "pages" of model "books" is less than 1
    models.json:5:72 "none" - error invalid-default: the default "none" of field "isbn" of model "books" does not match ^[0-9]{13}$
    models.json:6:53 "now()" - error invalid-default: the default "now()" of field "bought_at" of model "books" is not a date and time such as '2025-01-31T12:00:00Z'
      a default is a fixed value; for a value that the server sets, write "preset": "now()"
    models.json:7:51 "2025-02-30" - error invalid-default: the default "2025-02-30" of field "released_on" of model "books" is not a date such as '2025-01-31'
    models.json:7:108 "5" - error invalid-default: the default "5" of field "price" of model "books" is not an integer of 32 bits
    models.json:8:65 null - error invalid-default: the default of field "title" of model "books" is null, but the field is not nullable
    models.json:9:45 { "a": ["\\u0000"] } - error invalid-default: the default {"a":["\\u0000"]} of field "facts" of model "books" holds \\u0000 or half of a surrogate pair
    models.json:10:44 { "\\ud800": 1 } - error invalid-default: the default {"\\ud800":1} of field "more" of model "books" holds \\u0000 or half of a surrogate pair
  `);
});

test("invalid-preset", async () => {
  const models = `{
    "teams": {
      "fields": { "name": { "type": "string", "required": true, "unique": true } },
      "access": { "fetch": [{ "role": "*" }] }
    },
    "users": {
      "fields": {
        "team_id": { "type": "belongs_to", "relationship": { "model": "teams" } },
        "level": { "type": "integer", "preset": "{user_id}" }, "nickname": { "type": "string" },
        "rate": { "type": "decimal", "precision": 5, "scale": 2 }, "serial": { "type": "bigint" }, "starts": { "type": "time" },
        "tags": { "type": "string[]" }
      },
      "access": { "fields": { "nickname": { "write": ["user"] } } }
    },
    "tasks": {
      "fields": {
        "owner": { "type": "integer", "preset": "{userid}" }, "owner_again": { "type": "integer", "preset": "user_id" },
        "team": { "type": "string", "preset": "{user.team}" }, "supplier": { "type": "string", "preset": "supplier" },
        "address": { "type": "string", "preset": "{user.email}" }, "nickname": { "type": "string", "preset": "{user.nickname}" },
        "secret": { "type": "string", "preset": "{user.password}" }, "level": { "type": "string", "preset": "{user.level}" },
        "rating": { "type": "float", "preset": "{user_id}" }, "key": { "type": "uuid", "preset": "{user_id}" },
        "mail": { "type": "email", "preset": "{role}" }, "made_at": { "type": "string", "preset": "now()" },
        "made_on": { "type": "date", "preset": "now()", "default": "2026-01-01" },
        "project_id": { "type": "belongs_to", "preset": "{user_id}", "relationship": { "model": "projects" } },
        "in_project": { "type": "belongs_to", "preset": "{user.team_id}", "relationship": { "model": "projects" } },
        "team_name": { "type": "belongs_to", "preset": "{user_id}", "relationship": { "model": "teams", "foreign_key": "name" } },
        "since": { "type": "belongs_to", "preset": "{email}", "relationship": { "model": "users", "foreign_key": "id" } },
        "rate": { "type": "float", "preset": "{user.rate}" }, "serial": { "type": "integer", "preset": "{user.serial}" },
        "starts": { "type": "time", "preset": "now()" }, "tag": { "type": "string", "preset": "{user.tags}" },
        "fine_rate": { "type": "decimal", "precision": 9, "scale": 4, "preset": "{user.rate}" },
        "fine_serial": { "type": "bigint", "preset": "{user.serial}" }, "fine_owner": { "type": "bigint", "preset": "{user_id}" },
        "fine_start": { "type": "time", "preset": "{user.starts}" },
        "fine": { "type": "belongs_to", "preset": "{user_id}", "relationship": { "model": "users" } },
        "fine_too": { "type": "belongs_to", "preset": "{user.team_id}", "relationship": { "model": "teams" } }
      },
      "access": { "fetch": [{ "role": "*" }] }
    },
    "projects": { "fields": { "name": { "type": "string", "required": true } }, "access": { "fetch": [{ "role": "*" }] } }
  }`;
  expect(await printed("invalid-preset", models)).toMatchInlineSnapshot(`
    models.json:9:49 "{user_id}" - error invalid-preset: the preset "{user_id}" of field "level" of model "users" has no effect: no model route creates accounts
      remove it, or give the field a "default"
    models.json:17:49 "{userid}" - error invalid-preset: the preset "{userid}" of field "owner" of model "tasks" is unknown
      did you mean "{user_id}"?
    models.json:17:109 "user_id" - error invalid-preset: the preset "user_id" of field "owner_again" of model "tasks" is unknown
      did you mean "{user_id}"?
    models.json:18:47 "{user.team}" - error invalid-preset: the preset "{user.team}" of field "team" of model "tasks" cannot be used: it is a relation, not a column
      write {user.team_id}
    models.json:18:106 "supplier" - error invalid-preset: the preset "supplier" of field "supplier" of model "tasks" is unknown
      known presets are "{user_id}", "{role}", "{email}", "now()", "{user.<column>}"
    models.json:19:50 "{user.email}" - error invalid-preset: the preset "{user.email}" of field "address" of model "tasks" cannot be used: the caller can change it
      write {email}
    models.json:19:110 "{user.nickname}" - error invalid-preset: the preset "{user.nickname}" of field "nickname" of model "tasks" cannot be used: "access.fields" of "users" lets "user" write it, so callers can set it for themselves
      use a field that only "admin", "system" and "superadmin" write
    models.json:20:49 "{user.password}" - error invalid-preset: the preset "{user.password}" of field "secret" of model "tasks" cannot be used: it is a password
      allowed columns are {user.created_at}, {user.role}, {user.is_verified}, {user.is_active}, {user.team_id}, {user.level}, {user.rate}, {user.serial}, {user.starts}, {user.tags}
    models.json:20:109 "{user.level}" - error invalid-preset: the preset "{user.level}" of field "level" of model "tasks" does not fit: "level" of "users" is of the type "integer", and the field is of the type "string"
    models.json:21:48 "{user_id}" - error invalid-preset: the preset "{user_id}" of field "rating" of model "tasks" does not fit the type "float"
      it fits integer, bigint, string, text, and a reference to "users"
    models.json:21:98 "{user_id}" - error invalid-preset: the preset "{user_id}" of field "key" of model "tasks" does not fit the type "uuid"
      it fits integer, bigint, string, text, and a reference to "users"
    models.json:22:46 "{role}" - error invalid-preset: the preset "{role}" of field "mail" of model "tasks" does not fit the type "email"
      it fits string, text
    models.json:22:99 "now()" - error invalid-preset: the preset "now()" of field "made_at" of model "tasks" does not fit the type "string"
      it fits datetime, date
    models.json:23:48 "now()" - error invalid-preset: the preset "now()" of field "made_on" of model "tasks" cannot be combined with a default
      remove one of them
    models.json:24:57 "{user_id}" - error invalid-preset: the preset "{user_id}" of field "project_id" of model "tasks" does not fit a reference to "id" of model "projects"
      it fits integer, bigint, string, text, and a reference to "users"
    models.json:25:57 "{user.team_id}" - error invalid-preset: the preset "{user.team_id}" of field "in_project" of model "tasks" does not fit: "team_id" of "users" is a reference to "teams", and the field is a reference to "projects"
    models.json:27:52 "{email}" - error invalid-preset: the preset "{email}" of field "since" of model "tasks" does not fit a reference to "id" of model "users"
      it fits email, string, text
    models.json:28:46 "{user.rate}" - error invalid-preset: the preset "{user.rate}" of field "rate" of model "tasks" does not fit: "rate" of "users" is of the type "decimal", and the field is of the type "float"
    models.json:28:104 "{user.serial}" - error invalid-preset: the preset "{user.serial}" of field "serial" of model "tasks" does not fit: "serial" of "users" is of the type "bigint", and the field is of the type "integer"
    models.json:29:47 "now()" - error invalid-preset: the preset "now()" of field "starts" of model "tasks" does not fit the type "time"
      it fits datetime, date
    models.json:29:95 "{user.tags}" - error invalid-preset: the preset "{user.tags}" of field "tag" of model "tasks" does not fit: "tags" of "users" is of the type "string[]", and the field is of the type "string"
  `);
});

test("invalid-bounds", async () => {
  const models = `{ "books": {
    "fields": {
      "title": { "type": "string", "min_length": 300 }, "pages": { "type": "integer", "minimum": 10, "maximum": 1 },
      "stock": { "type": "integer", "maximum": 3000000000 }
    },
    "access": { "fetch": [{ "role": "*" }] }
  } }`;
  expect(await printed("invalid-bounds", models)).toMatchInlineSnapshot(`
    models.json:3:50 300 - error invalid-bounds: "min_length" of field "title" of model "books" is greater than its maximum length, 255
    models.json:3:98 10 - error invalid-bounds: "minimum" of field "pages" of model "books" is greater than its "maximum", 1
    models.json:4:48 3000000000 - error invalid-bounds: the bound 3000000000 of field "stock" of model "books" is not an integer of 32 bits
  `);
});

test("invalid-pattern", async () => {
  const files = {
    models: `{ "books": {
      "fields": { "title": { "type": "string", "pattern": "(?=.*[0-9])[a-z]+" } },
      "access": { "fetch": [{ "role": "*" }] }
    } }`,
    manifest: `{ "name": "golden", "cors": { "allow_origin_regex": "https://(.*" } }`,
  };
  expect(await printed("invalid-pattern", files)).toMatchInlineSnapshot(`
    manifest.json:1:53 "https://(.*" - error invalid-pattern: "cors.allow_origin_regex" of the manifest: missing closing ): \`https://(.*\`
      patterns are regular expressions of RE2: no look-around, no backreferences
    models.json:2:59 "(?=.*[0-9])[a-z]+" - error invalid-pattern: "pattern" of field "title" of model "books": invalid or unsupported Perl syntax: \`(?=\`
      patterns are regular expressions of RE2: no look-around, no backreferences
  `);
});

test("unfillable-field", async () => {
  const models = `{
    "books": {
      "fields": {
        "title": { "type": "string", "nullable": false },
        "owner": { "type": "integer", "nullable": false, "preset": "{user_id}" }
      },
      "access": { "fetch": [{ "role": "*" }] }
    },
    "users": { "fields": {
      "nickname": { "type": "string", "required": true },
      "plan": { "type": "string", "required": true, "default": "free" },
      "team": { "type": "string", "nullable": false },
      "note": { "type": "string", "required": true, "nullable": true }
    } }
  }`;
  expect(await printed("unfillable-field", models)).toMatchInlineSnapshot(`
    models.json:4:38 "nullable" - error unfillable-field: field "title" of model "books" cannot be null, is not required and has no default
      add "required": true or a "default"
    models.json:5:39 "nullable" - error unfillable-field: field "owner" of model "books" cannot be null, is not required and has no default
      add "required": true, because the preset has no value for some callers
    models.json:10:39 "required" - error unfillable-field: field "nickname" of model "users" cannot be null and has no default, so no one could register
      add a "default", or make it nullable
    models.json:12:35 "nullable" - error unfillable-field: field "team" of model "users" cannot be null and has no default, so no one could register
      add a "default", or make it nullable
  `);
});

test("unknown-key-field", async () => {
  const models = `{
    "books": {
      "unique": [["titel"], ["title", "created_at"]], "indexes": [["notes"], ["reviews"]],
      "access": {
        "fetch": [{ "role": "*" }],
        "fields": { "tilte": { "read": ["admin"] }, "reviews": { "read": ["admin"] }, "updated_at": { "write": ["admin"] } }
      },
      "fields": {
        "title": { "type": "string" }, "notes": { "type": "json" },
        "reviews": { "type": "has_many", "relationship": { "model": "reviews", "foreign_key": "book_id" } }
      }
    },
    "reviews": {
      "fields": { "book_id": { "type": "belongs_to", "relationship": { "model": "books" } } },
      "access": { "fetch": [{ "role": "*" }] }
    }
  }`;
  expect(await printed("unknown-key-field", models)).toMatchInlineSnapshot(`
    models.json:3:19 "titel" - error unknown-key-field: "titel" in a unique key of model "books" is not a field
      did you mean "title"?
    models.json:3:39 "created_at" - error unknown-key-field: "created_at" in a unique key of model "books" is set by the server, so it cannot be part of a unique key
    models.json:3:68 "notes" - error unknown-key-field: "notes" in an index of model "books" has the type "json", which cannot be indexed
    models.json:3:79 "reviews" - error unknown-key-field: "reviews" in an index of model "books" has no column; the other model holds the key
    models.json:6:21 "tilte" - error unknown-key-field: "tilte" in the access of model "books" is not a field
      did you mean "title"?
    models.json:6:53 "reviews" - error unknown-key-field: "reviews" in the access of model "books" has no column; the joined model has its own access rules
    models.json:6:87 "updated_at" - error unknown-key-field: "updated_at" in the access of model "books" is set by the server, so only "read" applies to it
  `);
});

test("duplicate-index", async () => {
  const models = `{ "books": {
    "unique": [["isbn"]], "indexes": [["title"], ["title"]],
    "fields": { "isbn": { "type": "string", "unique": true }, "title": { "type": "string" } },
    "access": { "fetch": [{ "role": "*" }] }
  } }`;
  expect(await printed("duplicate-index", models)).toMatchInlineSnapshot(`
    models.json:2:16 ["isbn"] - error duplicate-index: the unique key on isbn of model "books" is declared twice
    models.json:2:50 ["title"] - error duplicate-index: the index on title of model "books" is declared twice
  `);
});

test("long-index-entry", async () => {
  const models = `{ "books": {
    "indexes": [["isbn", "blurb"]],
    "fields": {
      "title": { "type": "text", "unique": true }, "pages": { "type": "integer" }, "isbn": { "type": "string" },
      "blurb": { "type": "string", "max_length": 1000 }
    },
    "access": { "fetch": [{ "role": "*" }] }
  } }`;
  expect(await printed("long-index-entry", models)).toMatchInlineSnapshot(`
    models.json:2:17 ["isbn", "blurb"] - warning long-index-entry: values of "blurb" of model "books" can be too long for an index entry of 2704 bytes
      set "max_length" to at most 338
    models.json:4:34 "unique" - warning long-index-entry: values of "title" of model "books" can be too long for an index entry of 2704 bytes
      set "max_length" to at most 676
  `);
});

test("too-many-columns", async () => {
  const models = `{ "books": {
    "fields": {
      "f0": { "type": "integer" }, "f1": { "type": "integer" }, "f2": { "type": "integer" },
      "f3": { "type": "integer" }, "f4": { "type": "integer" }, "f5": { "type": "integer" },
      "f6": { "type": "integer" }, "f7": { "type": "integer" }, "f8": { "type": "integer" },
      "f9": { "type": "integer" }, "f10": { "type": "integer" }, "f11": { "type": "integer" },
      "f12": { "type": "integer" }, "f13": { "type": "integer" }, "f14": { "type": "integer" },
      "f15": { "type": "integer" }, "f16": { "type": "integer" }, "f17": { "type": "integer" },
      "f18": { "type": "integer" }, "f19": { "type": "integer" }, "f20": { "type": "integer" },
      "f21": { "type": "integer" }, "f22": { "type": "integer" }, "f23": { "type": "integer" },
      "f24": { "type": "integer" }, "f25": { "type": "integer" }, "f26": { "type": "integer" },
      "f27": { "type": "integer" }, "f28": { "type": "integer" }, "f29": { "type": "integer" },
      "f30": { "type": "integer" }, "f31": { "type": "integer" }, "f32": { "type": "integer" }
    },
    "indexes": [[
      "f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11", "f12", "f13", "f14", "f15", "f16",
      "f17", "f18", "f19", "f20", "f21", "f22", "f23", "f24", "f25", "f26", "f27", "f28", "f29", "f30", "f31", "f32"
    ]],
    "access": { "fetch": [{ "role": "*" }] }
  } }`;
  expect(await printed("too-many-columns", models)).toMatchInlineSnapshot(
    `models.json:15:17 [ - error too-many-columns: a key or an index of model "books" has 33 fields, more than 32`,
  );
});

test("invalid-rename", async () => {
  const models = `{
    "books": {
      "renamed_from": "novels",
      "fields": {
        "title": { "type": "string", "renamed_from": "name" }, "name": { "type": "string" },
        "blurb": { "type": "text", "renamed_from": "a_column_whose_name_is_so_long_that_no_table_of_postgresql_holds_it" }
      },
      "access": { "fetch": [{ "role": "*" }] }
    },
    "texts": { "renamed_from": "novels", "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } }
  }`;
  expect(await printed("invalid-rename", models)).toMatchInlineSnapshot(`
    models.json:5:54 "name" - error invalid-rename: the former name "name" of field "title" of model "books" is still in use
    models.json:6:52 "a_column_whose_name_is_so_long_that_no_table_of_postgresql_holds_it" - error invalid-rename: the former name "a_column_whose_name_is_so_long_that_no_table_of_postgresql_holds_it" of field "blurb" of model "books" has 67 bytes, more than 63
    models.json:10:32 "novels" - error invalid-rename: the former name "novels" of model "texts" is also the former name of "books"
  `);
});

test("presets in the long form", async () => {
  const models = `{ "books": {
    "access": { "fetch": [{ "role": "*" }] },
    "fields": {
      "a": { "type": "integer", "preset": { "value": "{user}", "on": "write" } },
      "b": { "type": "integer", "preset": { "value": "{user_id}", "on": "update" } },
      "c": { "type": "integer", "preset": { "value": "{user_id}" } }
    }
  } }`;
  expect(await printed("invalid-preset", models)).toMatchInlineSnapshot(`
    models.json:4:54 "{user}" - error invalid-preset: the preset "{user}" of field "a" of model "books" is unknown
      known presets are "{user_id}", "{role}", "{email}", "now()", "{user.<column>}"
    models.json:5:73 "update" - error invalid-value: "preset.on" of field "b" of model "books" is "update"
      one of create, write
    models.json:6:33 "preset" - error missing-key: "preset" of field "c" of model "books" lacks the key "on"
  `);
});
