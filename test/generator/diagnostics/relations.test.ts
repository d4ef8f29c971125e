import { expect, test } from "vitest";
import { printed } from "./printed.ts";

test("missing-relationship", async () => {
  const models = `
    {
      "books": { "fields": { "author_id": { "type": "integer", "foreign_key": true } }, "access": { "fetch": [{ "role": "*" }] } },
      "authors": {
        "fields": { "name": { "type": "string", "unique": true }, "country": { "type": "string" }, "books": { "type": "json" } },
        "access": { "fetch": [{ "role": "*" }] }
      }
    }
  `;
  expect(await printed("missing-relationship", models)).toMatchInlineSnapshot(`
    models.json:2:60 - error missing-relationship: field "author_id" of model "books" names no model to refer to
    > 2 |   "books": { "fields": { "author_id": { "type": "integer", "foreign_key": true } }, "access": { "fetch": [{ "role": "*" 
        |                                                            ^^^^^^^^^^^^^
      add "relationship": { "model": "…" }
  `);
});

test("missing-foreign-key", async () => {
  const models = `
    {
      "books": {
        "fields": { "author_id": { "type": "integer", "relationship": { "model": "authors" } } },
        "access": { "fetch": [{ "role": "*" }] }
      },
      "authors": {
        "fields": { "name": { "type": "string", "unique": true }, "country": { "type": "string" }, "books": { "type": "json" } },
        "access": { "fetch": [{ "role": "*" }] }
      }
    }
  `;
  expect(await printed("missing-foreign-key", models)).toMatchInlineSnapshot(`
    models.json:3:51 - error missing-foreign-key: field "author_id" of model "books" has a relationship, but is no foreign key
    > 3 |     "fields": { "author_id": { "type": "integer", "relationship": { "model": "authors" } } },
        |                                                   ^^^^^^^^^^^^^^
      add "foreign_key": true
  `);
});

test("unknown-model", async () => {
  const models = `
    {
      "books": {
        "fields": {
          "author_id": { "type": "belongs_to", "relationship": { "model": "author" } },
          "token_id": { "type": "belongs_to", "relationship": { "model": "auth_tokens" } },
          "owner_id": { "type": "belongs_to", "relationship": { "model": "user" } }
        },
        "access": { "fetch": [{ "role": "*" }] }
      },
      "authors": {
        "fields": { "name": { "type": "string", "unique": true }, "country": { "type": "string" }, "books": { "type": "json" } },
        "access": { "fetch": [{ "role": "*" }] }
      },
      "users": {
        "fields": { "tokens": { "type": "has_many", "relationship": { "model": "auth_tokens", "foreign_key": "user_id" } } }
      }
    }
  `;
  expect(await printed("unknown-model", models)).toMatchInlineSnapshot(`
    models.json:4:71 - error unknown-model: field "author_id" of model "books" refers to the model "author", which does not exist
    > 4 |       "author_id": { "type": "belongs_to", "relationship": { "model": "author" } },
        |                                                                       ^^^^^^^^
      did you mean "authors"?
    models.json:5:70 - error unknown-model: field "token_id" of model "books" refers to "auth_tokens", a table of the service itself that no model can join
    > 5 |       "token_id": { "type": "belongs_to", "relationship": { "model": "auth_tokens" } },
        |                                                                      ^^^^^^^^^^^^^
      accounts are joined by a reference to "users"
    models.json:6:70 - error unknown-model: field "owner_id" of model "books" refers to the model "user", which does not exist
    > 6 |       "owner_id": { "type": "belongs_to", "relationship": { "model": "user" } }
        |                                                                      ^^^^^^
      did you mean "users"?
    models.json:15:76 - error unknown-model: field "tokens" of model "users" refers to "auth_tokens", a table of the service itself that no model can join
    > 15 |     "fields": { "tokens": { "type": "has_many", "relationship": { "model": "auth_tokens", "foreign_key": "user_id" } } }
         |                                                                            ^^^^^^^^^^^^^
      accounts are joined by a reference to "users"
  `);
});

test("invalid-reference", async () => {
  const models = `
    {
      "books": {
        "fields": {
          "author_name": { "type": "string", "foreign_key": true, "relationship": { "model": "authors", "foreign_key": "nmae" } },
          "country": { "type": "string", "foreign_key": true, "relationship": { "model": "authors", "foreign_key": "country" } },
          "publisher": { "type": "belongs_to", "relationship": { "model": "publishers", "foreign_key": "code" } }
        },
        "access": { "fetch": [{ "role": "*" }] }
      },
      "authors": {
        "fields": {
          "name": { "type": "string", "unique": true }, "country": { "type": "string" },
          "books": { "type": "has_many", "relationship": { "model": "books" } },
          "reviews": { "type": "has_many", "relationship": { "model": "books", "foreign_key": "title" } }
        },
        "access": { "fetch": [{ "role": "*" }] }
      },
      "publishers": {
        "soft_delete": true, "fields": { "code": { "type": "string", "unique": true } }, "access": { "fetch": [{ "role": "*" }] }
      }
    }
  `;
  expect(await printed("invalid-reference", models)).toMatchInlineSnapshot(`
    models.json:4:116 - error invalid-reference: field "author_name" of model "books" refers to "nmae" of model "authors", which is no column
    > 4 |  true, "relationship": { "model": "authors", "foreign_key": "nmae" } },
        |                                                             ^^^^^^
      did you mean "name"?
    models.json:5:112 - error invalid-reference: field "country" of model "books" refers to "country" of model "authors", which is not unique
    > 5 |  true, "relationship": { "model": "authors", "foreign_key": "country" } },
        |                                                             ^^^^^^^^^
      refer to "id", or make "country" unique
    models.json:6:100 - error invalid-reference: field "publisher" of model "books" refers to "code" of model "publishers", which is unique among live rows only, since the model has soft_delete
    > 6 |       "publisher": { "type": "belongs_to", "relationship": { "model": "publishers", "foreign_key": "code" } }
        |                                                                                                    ^^^^^^
      refer to "id"
    models.json:13:54 - error invalid-reference: field "books" of model "authors" does not say which field of model "books" refers to this model
    > 13 |       "books": { "type": "has_many", "relationship": { "model": "books" } },
         |                                                      ^^^^^^^^^^^^^^^^^^^^
      write "foreign_key": "author_name"
    models.json:14:91 - error invalid-reference: field "reviews" of model "authors": "title" of model "books" is no foreign key to model "authors"
    > 14 |       "reviews": { "type": "has_many", "relationship": { "model": "books", "foreign_key": "title" } }
         |                                                                                           ^^^^^^^
      those are: author_name, country
  `);
});

test("reference-type-mismatch", async () => {
  const models = `
    {
      "books": {
        "fields": {
          "author_id": { "type": "uuid", "foreign_key": true, "relationship": { "model": "authors", "foreign_key": "id" } }
        },
        "access": { "fetch": [{ "role": "*" }] }
      },
      "authors": {
        "fields": { "name": { "type": "string", "unique": true }, "country": { "type": "string" }, "books": { "type": "json" } },
        "access": { "fetch": [{ "role": "*" }] }
      }
    }
  `;
  expect(await printed("reference-type-mismatch", models)).toMatchInlineSnapshot(`
    models.json:4:30 - error reference-type-mismatch: field "author_id" of model "books" has the type "uuid", but "id" of model "authors" has the type "integer"
    > 4 |       "author_id": { "type": "uuid", "foreign_key": true, "relationship": { "model": "authors", "foreign_key": "id" } }
        |                              ^^^^^^
      write "type": "integer", or "belongs_to" for the type of the other side
  `);
});

test("reference-cycle", async () => {
  const models = `
    {
      "books": {
        "fields": {
          "twin": { "type": "belongs_to", "unique": true, "relationship": { "model": "copies", "foreign_key": "twin" } }
        },
        "access": { "fetch": [{ "role": "*" }] }
      },
      "copies": {
        "fields": { "twin": { "type": "belongs_to", "unique": true, "relationship": { "model": "books", "foreign_key": "twin" } } },
        "access": { "fetch": [{ "role": "*" }] }
      }
    }
  `;
  expect(await printed("reference-cycle", models)).toMatchInlineSnapshot(`
    models.json:4:71 - error reference-cycle: field "twin" of model "books" refers in a circle, so that it has no type
    > 4 |       "twin": { "type": "belongs_to", "unique": true, "relationship": { "model": "copies", "foreign_key": "twin" } }
        |                                                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      give one of the fields a type of its own instead of "foreign_key"
    models.json:9:81 - error reference-cycle: field "twin" of model "copies" refers in a circle, so that it has no type
    > 9 | n": { "type": "belongs_to", "unique": true, "relationship": { "model": "books", "foreign_key": "twin" } } },
        |                                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      give one of the fields a type of its own instead of "foreign_key"
  `);
});

test("set-null-on-required", async () => {
  const models = `
    {
      "books": {
        "fields": {
          "author_id": { "type": "belongs_to", "required": true, "relationship": { "model": "authors", "on_delete": "set_null" } }
        },
        "access": { "fetch": [{ "role": "*" }] }
      },
      "authors": {
        "fields": { "name": { "type": "string", "unique": true }, "country": { "type": "string" }, "books": { "type": "json" } },
        "access": { "fetch": [{ "role": "*" }] }
      }
    }
  `;
  expect(await printed("set-null-on-required", models)).toMatchInlineSnapshot(`
    models.json:4:113 - error set-null-on-required: field "author_id" of model "books" cannot be null, so that it cannot be set to null
    > 4 | ": true, "relationship": { "model": "authors", "on_delete": "set_null" } }
        |                                                             ^^^^^^^^^^
      make the field nullable, or choose "restrict" or "cascade"
  `);
});

test("has-one-not-unique", async () => {
  const models = `
    {
      "orders": {
        "fields": { "parcel": { "type": "has_one", "relationship": { "model": "parcels", "foreign_key": "order_id" } } },
        "access": { "fetch": [{ "role": "*" }] }
      },
      "parcels": {
        "fields": { "order_id": { "type": "belongs_to", "relationship": { "model": "orders" } } },
        "access": { "fetch": [{ "role": "*" }] }
      }
    }
  `;
  expect(await printed("has-one-not-unique", models)).toMatchInlineSnapshot(`
    models.json:3:37 - warning has-one-not-unique: field "parcel" of model "orders" is a has_one, but several rows of model "parcels" may refer to one
    > 3 |     "fields": { "parcel": { "type": "has_one", "relationship": { "model": "parcels", "foreign_key": "order_id" } } },
        |                                     ^^^^^^^^^
      make "order_id" unique there, or use "has_many"
  `);
});
