import { expect, test } from "vitest";
import { printed } from "./printed.ts";

test("unknown-operation", async () => {
  const models = `{ "books": {
    "access": { "fetch": [{ "role": "*" }], "remove": [{ "role": "admin" }], "updte": [{ "role": "admin" }] },
    "fields": { "title": { "type": "string" } }
  } }`;
  expect(await printed("unknown-operation", models)).toMatchInlineSnapshot(`
    models.json:2:45 "remove" - error unknown-operation: "access" of model "books" has the unknown operation "remove"
      known here: fetch, search, count, exists, create, update, upsert, delete, destroy, restore, $all, fields
    models.json:2:78 "updte" - error unknown-operation: "access" of model "books" has the unknown operation "updte"
      did you mean "update"?
  `);
});

test("invalid-role", async () => {
  const models = `{ "books": {
    "access": {
      "fetch": [{ "role": " admin" }], "count": [{ "role": "  " }, { "role": "a\\nb" }],
      "exists": [{ "role": ["admin", " staff"] }]
    },
    "fields": { "title": { "type": "string" } }
  } }`;
  expect(await printed("invalid-role", models)).toMatchInlineSnapshot(`
    models.json:3:27 " admin" - error invalid-role: the role " admin" has spaces around it or control characters, which no token can have
      write "admin"
    models.json:3:60 "  " - error invalid-role: the role "  " has spaces around it or control characters, which no token can have
    models.json:3:78 "a\\nb" - error invalid-role: the role "a\\nb" has spaces around it or control characters, which no token can have
      write "a b"
    models.json:4:38 " staff" - error invalid-role: the role " staff" has spaces around it or control characters, which no token can have
      write "staff"
  `);
});

test("self-role", async () => {
  const models = `{
    "books": {
      "fields": { "title": { "type": "string" } },
      "access": {
        "fetch": [{ "role": ["user", "self"] }],
        "fields": { "title": { "read": ["self"], "write": ["admin"] } }
      }
    },
    "users": {
      "fields": { "nickname": { "type": "string" }, "plan": { "type": "string" } },
      "access": {
        "fields": {
          "nickname": { "read": ["self", "staff"], "write": ["self"] }, "plan": { "read": ["self"] },
          "email": { "read": ["self"] }, "id": { "read": ["self"] }
        }
      }
    }
  }`;
  expect(await printed("self-role", models)).toMatchInlineSnapshot(`
    models.json:5:38 "self" - error self-role: the role "self" is the owner of an account: only columns that your app adds to "users" can name it
      remove it; a condition with {user_id} opens a user's rows
    models.json:6:41 "self" - error self-role: the role "self" is the owner of an account: only columns that your app adds to "users" can name it
      remove it; a condition with {user_id} opens a user's rows
    models.json:14:31 "self" - error self-role: the role "self" is the owner of an account: only columns that your app adds to "users" can name it
      remove it; a condition with {user_id} opens a user's rows
    models.json:14:59 "self" - error self-role: the role "self" is the owner of an account: only columns that your app adds to "users" can name it
      remove it; a condition with {user_id} opens a user's rows
  `);
});

test("unreachable-model", async () => {
  const models = `{
    "books": { "access": { "restore": [] }, "fields": { "title": { "type": "string" } } },
    "authors": { "fields": { "name": { "type": "string" } } },
    "audit": { "internal": true, "fields": { "entry": { "type": "string" } } }
  }`;
  expect(await printed("unreachable-model", models)).toMatchInlineSnapshot(`
    models.json:2:16 "access" - warning unreachable-model: no role may run any operation of model "books"
      add rules to "access", or "internal": true if that is intended
    models.json:3:5 "authors" - warning unreachable-model: no role may run any operation of model "authors"
      add rules to "access", or "internal": true if that is intended
  `);
});

test("rule-fields", async () => {
  const models = `{ "books": {
    "access": {
      "fetch": [{ "role": "*", "fields": ["title"] }],
      "update": [{ "role": ["a", "b"], "fields": ["titel", "id", "author"] }, { "role": "c", "fields": ["title"] }, { "role": "c", "fields": [] }]
    },
    "fields": {
      "title": { "type": "string" },
      "author": { "type": "has_one", "relationship": { "model": "books", "foreign_key": "title" } }
    }
  } }`;
  expect(await printed("rule-fields", models)).toMatchInlineSnapshot(`
    models.json:3:32 "fields" - error rule-fields: a rule for "fetch" of model "books" names fields, and fetch sends none
      remove them; rules for create, update, upsert, restore can name fields
    models.json:4:51 "titel" - error rule-fields: a rule for "update" of model "books" names "titel", which is not a field of the model
      did you mean "title"?
    models.json:4:60 "id" - error rule-fields: a rule for "update" of model "books" names "id", which the server sets
    models.json:4:66 "author" - error rule-fields: a rule for "update" of model "books" names "author", which is not a field of the model
    models.json:4:142 [] - error invalid-value: "fields" of the access to "update" of model "books" must not be empty
    models.json:8:89 "title" - error invalid-reference: field "author" of model "books": "title" of model "books" is not a foreign key to model "books"
  `);
});

test("search-without-fetch", async () => {
  const fields = `"fields": { "title": { "type": "string" } }`;
  const models = `{
    "books": { "access": { "search": "as fetch", "create": [{ "role": "admin" }] }, ${fields} },
    "films": { "access": { "fetch": [], "search": "as fetch", "create": [{ "role": "admin" }] }, ${fields} },
    "plays": { "access": { "fetch": [{ "role": "*" }], "search": "as fetch" }, ${fields} }
  }`;
  expect(await printed("search-without-fetch", models)).toMatchInlineSnapshot(`
    models.json:2:38 "as fetch" - error search-without-fetch: search of model "books" has the rules of fetch, and fetch has no rules
      add rules to "fetch", or write a list of rules
    models.json:3:51 "as fetch" - error search-without-fetch: search of model "films" has the rules of fetch, and fetch has no rules
      add rules to "fetch", or write a list of rules
  `);
});

test("invalid-value: only search has the rules of fetch by name", async () => {
  const models = `{ "books": {
    "access": { "fetch": [{ "role": "*" }], "search": "as count", "update": "as fetch" },
    "fields": { "title": { "type": "string" } }
  } }`;
  expect(await printed("invalid-value", models)).toMatchInlineSnapshot(`
    models.json:2:55 "as count" - error invalid-value: the access to "search" of model "books" must match ^as fetch$
      such as "as fetch"
    models.json:2:77 "as fetch" - error wrong-type: the access to "update" of model "books" must be an array, not a string
  `);
});

test("restore-without-soft-delete", async () => {
  const models = `{ "books": {
    "access": { "fetch": [{ "role": "*" }], "restore": [{ "role": "admin" }] },
    "fields": { "title": { "type": "string" } }
  } }`;
  expect(await printed("restore-without-soft-delete", models)).toMatchInlineSnapshot(`
    models.json:2:45 "restore" - warning restore-without-soft-delete: model "books" has no soft delete, so its rules for restore have no effect
      remove them, or add "soft_delete": true
  `);
});

test("duplicate-rule", async () => {
  const models = `{
    "books": {
      "fields": { "title": { "type": "string" }, "pages": { "type": "integer" } },
      "access": {
        "fetch": [
          { "role": "user", "condition": "pages > 1" }, { "role": "user", "condition": "pages>1" }, { "role": "user" },
          { "role": "user" }
        ],
        "count": [{ "role": "user" }],
        "search": [
          { "role": ["editor", "staff"] }, { "role": "admin" }, { "role": ["admin", "staff"], "condition": "pages > 1" },
          { "role": ["owner", "staff"], "condition": "pages>1" }
        ]
      }
    },
    "shelves": {
      "fields": {
        "owner_id": { "type": "belongs_to", "relationship": { "model": "users" } },
        "rows": { "type": "has_many", "relationship": { "model": "rows", "foreign_key": "shelf_id" } }
      },
      "access": {
        "fetch": [
          { "role": "signed_in", "condition": "EXISTS (owner.shelves WHERE owner_id = {user_id}) AND owner.is_active = true" },
          { "role": "signed_in", "condition": "exists(owner_id.shelves where owner_id={user_id}) and owner_id.is_active=true" },
          {
            "role": "signed_in",
            "condition": "EXISTS (this.owner.shelves WHERE owner_id = {user_id}) AND owner.is_active = true"
          },
          { "role": "signed_in", "condition": "EXISTS (rows)" }
        ]
      }
    },
    "rows": { "internal": true, "fields": { "shelf_id": { "type": "belongs_to", "relationship": { "model": "shelves" } } } },
    "users": {
      "fields": { "shelves": { "type": "has_many", "relationship": { "model": "shelves", "foreign_key": "owner_id" } } }
    }
  }`;
  expect(await printed("duplicate-rule", models)).toMatchInlineSnapshot(`
    models.json:6:67 "user" - warning duplicate-rule: the rule for "user" appears twice in "fetch" of model "books"
      remove one of them
    models.json:7:21 "user" - warning duplicate-rule: the rule for "user" appears twice in "fetch" of model "books"
      remove one of them
    models.json:12:31 "staff" - warning duplicate-rule: the rule for "staff" appears twice in "search" of model "books"
      remove one of them
    models.json:24:21 "signed_in" - warning duplicate-rule: the rule for "signed_in" appears twice in "fetch" of model "shelves"
      remove one of them
    models.json:26:21 "signed_in" - warning duplicate-rule: the rule for "signed_in" appears twice in "fetch" of model "shelves"
      remove one of them
  `);
});

test("empty-field-access", async () => {
  const models = `{ "books": {
    "fields": { "title": { "type": "string" }, "pages": { "type": "integer" } },
    "access": { "fetch": [{ "role": "*" }], "fields": { "title": {}, "pages": { "read": [] } } }
  } }`;
  expect(await printed("empty-field-access", models)).toMatchInlineSnapshot(`
    models.json:3:57 "title" - warning empty-field-access: "title" in the access of model "books" has neither "read" nor "write", so it restricts nothing
      add "read" or "write" with the allowed roles; an empty list means no one
  `);
});

const openBooks = `{ "books": {
  "fields": { "title": { "type": "string" }, "open": { "type": "boolean" } },
  "access": {
    "fetch": [{ "role": "user", "condition": "open = true" }], "fields": { "title": { "read": ["admin"] } }
  }
} }`;

test("unknown-acknowledgement", async () => {
  const files = {
    models: openBooks,
    "access-acknowledged.json": `{ "acknowledged": {
      "books.fetch for user: open = true": "signed-in users see open books", "everything": "it is only a test"
    } }`,
  };
  expect(await printed("unknown-acknowledgement", files)).toMatchInlineSnapshot(`
    access-acknowledged.json:2:7 "books.fetch for user: open = true" - error unknown-acknowledgement: "books.fetch for user: open = true" is not an access id
      did you mean "books.fetch to user: open = true"?
    access-acknowledged.json:2:78 "everything" - error unknown-acknowledgement: "everything" is not an access id
      examples of ids: "books.fetch to user: all rows" and "books.price read by user"
  `);
});

test("empty-reason", async () => {
  const files = {
    models: openBooks,
    "access-acknowledged.json": `{ "acknowledged": {
      "books.fetch to user: open = true": "", "books.count to user: open = true": "<why>",
      "books.exists to user: open = true": " TODO: "
    } }`,
  };
  expect(await printed("empty-reason", files)).toMatchInlineSnapshot(`
    access-acknowledged.json:2:43 "" - error invalid-value: the reason of "books.fetch to user: open = true" must not be empty
    access-acknowledged.json:2:83 "<why>" - error empty-reason: this is not a reason
      say why this access is intended
    access-acknowledged.json:3:44 " TODO: " - error empty-reason: this is not a reason
      say why this access is intended
  `);
});

test("stale-acknowledgement", async () => {
  const files = {
    models: openBooks,
    "access-acknowledged.json": `{
      "$schema": "../../../../schemas/access-acknowledged.schema.json",
      "acknowledged": {
        "books.fetch to user: open = true": "signed-in users see open books",
        "books.fetch to user: open = false": "signed-in users see closed books",
        "books.title read by user": "they need it", "pens.delete to \\"a b\\": all rows": "they tidy up"
      }
    }`,
  };
  expect(await printed("stale-acknowledgement", files)).toMatchInlineSnapshot(`
    access-acknowledged.json:5:9 "books.fetch to user: open = false" - warning stale-acknowledgement: "books.fetch to user: open = false" is not open
      did you mean "books.fetch to user: open = true"?
    access-acknowledged.json:6:9 "books.title read by user" - warning stale-acknowledgement: "books.title read by user" is not open
      did you mean "books.title read by admin"?
    access-acknowledged.json:6:53 "pens.delete to \\"a b\\": all rows" - warning stale-acknowledgement: "pens.delete to \\"a b\\": all rows" is not open
      remove the entry
  `);
});
