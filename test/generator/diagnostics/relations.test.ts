import { expect, test } from "vitest";
import { printed } from "./printed.ts";

const open = `"access": { "fetch": [{ "role": "*" }] }`;
const authors = `"authors": {
      "fields": { "name": { "type": "string", "unique": true }, "country": { "type": "string" }, "books": { "type": "json" } },
      ${open}
    }`;

test("missing-relationship", async () => {
  const models = `{
    "books": { "fields": { "author_id": { "type": "integer", "foreign_key": true } }, ${open} }, ${authors}
  }`;
  expect(await printed("missing-relationship", models)).toMatchInlineSnapshot(`
    models.json:2:62 "foreign_key" - error missing-relationship: field "author_id" of model "books" does not name the model that it refers to
      add "relationship": { "model": "…" }
  `);
});

test("missing-foreign-key", async () => {
  const models = `{
    "books": { "fields": { "author_id": { "type": "integer", "relationship": { "model": "authors" } } }, ${open} },
    ${authors}
  }`;
  expect(await printed("missing-foreign-key", models)).toMatchInlineSnapshot(`
    models.json:2:62 "relationship" - error missing-foreign-key: field "author_id" of model "books" has a relationship, but is not a foreign key
      add "foreign_key": true
  `);
});

test("unknown-model", async () => {
  const models = `{
    "books": {
      "fields": {
        "author_id": { "type": "belongs_to", "relationship": { "model": "author" } },
        "token_id": { "type": "belongs_to", "relationship": { "model": "auth_tokens" } },
        "owner_id": { "type": "belongs_to", "relationship": { "model": "user" } }
      },
      ${open}
    },
    ${authors},
    "users": {
      "fields": { "tokens": { "type": "has_many", "relationship": { "model": "auth_tokens", "foreign_key": "user_id" } } }
    }
  }`;
  expect(await printed("unknown-model", models)).toMatchInlineSnapshot(`
    models.json:4:73 "author" - error unknown-model: field "author_id" of model "books" refers to the model "author", which does not exist
      did you mean "authors"?
    models.json:5:72 "auth_tokens" - error unknown-model: field "token_id" of model "books" refers to "auth_tokens", a table of the service itself that no model can join
      to join accounts, refer to "users"
    models.json:6:72 "user" - error unknown-model: field "owner_id" of model "books" refers to the model "user", which does not exist
      did you mean "users"?
    models.json:15:78 "auth_tokens" - error unknown-model: field "tokens" of model "users" refers to "auth_tokens", a table of the service itself that no model can join
      to join accounts, refer to "users"
  `);
});

test("invalid-reference", async () => {
  const models = `{
    "books": {
      "fields": {
        "author_name": { "type": "string", "foreign_key": true, "relationship": { "model": "authors", "foreign_key": "nmae" } },
        "country": { "type": "string", "foreign_key": true, "relationship": { "model": "authors", "foreign_key": "country" } },
        "publisher": { "type": "belongs_to", "relationship": { "model": "publishers", "foreign_key": "code" } }
      },
      ${open}
    },
    "authors": {
      "fields": {
        "name": { "type": "string", "unique": true }, "country": { "type": "string" },
        "books": { "type": "has_many", "relationship": { "model": "books" } },
        "reviews": { "type": "has_many", "relationship": { "model": "books", "foreign_key": "title" } }
      },
      ${open}
    },
    "publishers": {
      "soft_delete": true, "fields": { "code": { "type": "string", "unique": true } }, ${open}
    }
  }`;
  expect(await printed("invalid-reference", models)).toMatchInlineSnapshot(`
    models.json:4:118 "nmae" - error invalid-reference: field "author_name" of model "books" refers to "nmae" of model "authors", which is not a column
      did you mean "name"?
    models.json:5:114 "country" - error invalid-reference: field "country" of model "books" refers to "country" of model "authors", which is not unique
      refer to "id", or make "country" unique
    models.json:6:102 "code" - error invalid-reference: field "publisher" of model "books" refers to "code" of model "publishers", which is unique only among rows that are not deleted (soft_delete)
      refer to "id"
    models.json:13:56 { "model": "books" } - error invalid-reference: field "books" of model "authors" does not say which field of model "books" refers to this model
      write "foreign_key": "author_name"
    models.json:14:93 "title" - error invalid-reference: field "reviews" of model "authors": "title" of model "books" is not a foreign key to model "authors"
      the foreign keys are: author_name, country
  `);
});

test("reference-type-mismatch", async () => {
  const models = `{
    "books": {
      "fields": {
        "author_id": { "type": "uuid", "foreign_key": true, "relationship": { "model": "authors", "foreign_key": "id" } }
      },
      ${open}
    },
    ${authors}
  }`;
  expect(await printed("reference-type-mismatch", models)).toMatchInlineSnapshot(`
    models.json:4:32 "uuid" - error reference-type-mismatch: field "author_id" of model "books" has the type "uuid", but "id" of model "authors" has the type "integer"
      write "type": "integer", or "belongs_to" for the type of the other side
  `);
});

test("reference-cycle", async () => {
  const models = `{
    "books": {
      "fields": {
        "twin": { "type": "belongs_to", "unique": true, "relationship": { "model": "copies", "foreign_key": "twin" } }
      },
      ${open}
    },
    "copies": {
      "fields": { "twin": { "type": "belongs_to", "unique": true, "relationship": { "model": "books", "foreign_key": "twin" } } },
      ${open}
    }
  }`;
  expect(await printed("reference-cycle", models)).toMatchInlineSnapshot(`
    models.json:4:73 { "model": "copies", "foreign_key": "twin" } - error reference-cycle: field "twin" of model "books" is part of a cycle of foreign keys, so it has no type
      give one of the fields a "type" instead of "foreign_key"
    models.json:9:83 { "model": "books", "foreign_key": "twin" } - error reference-cycle: field "twin" of model "copies" is part of a cycle of foreign keys, so it has no type
      give one of the fields a "type" instead of "foreign_key"
  `);
});

test("set-null-on-required", async () => {
  const models = `{
    "books": {
      "fields": {
        "author_id": { "type": "belongs_to", "required": true, "relationship": { "model": "authors", "on_delete": "set_null" } }
      },
      ${open}
    },
    ${authors}
  }`;
  expect(await printed("set-null-on-required", models)).toMatchInlineSnapshot(`
    models.json:4:115 "set_null" - error set-null-on-required: field "author_id" of model "books" has "on_delete": "set_null", but cannot be null
      make the field nullable, or choose "restrict" or "cascade"
  `);
});

test("has-one-not-unique", async () => {
  const models = `{
    "orders": {
      "fields": { "parcel": {
        "type": "has_one", "relationship": { "model": "parcels", "foreign_key": "order_id" }
      } },
      ${open}
    },
    "parcels": { "fields": { "order_id": { "type": "belongs_to", "relationship": { "model": "orders" } } }, ${open} }
  }`;
  expect(await printed("has-one-not-unique", models)).toMatchInlineSnapshot(`
    models.json:4:17 "has_one" - warning has-one-not-unique: field "parcel" of model "orders" is a has_one, but several rows of model "parcels" can refer to the same row
      make "order_id" unique there, or use "has_many"
  `);
});
