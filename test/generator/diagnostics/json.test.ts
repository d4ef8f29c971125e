import { expect, test } from "vitest";
import { printed } from "./printed.ts";

test("missing-file", async () => {
  expect(await printed("missing-file", {})).toMatchInlineSnapshot(`
    models.json:1:1 - error missing-file: the file does not exist
      name another one with --models
  `);
});

test("invalid-json", async () => {
  const models = `
    {
      "books": {
        "fields": { "title": { "type": "string" }, },
        // who may read
        "access": {}
      }
    }
  `;
  expect(await printed("invalid-json", models)).toMatchInlineSnapshot(`
    models.json:3:46 - error invalid-json: a trailing comma
    > 3 |     "fields": { "title": { "type": "string" }, },
        |                                              ^
      remove it
  `);
});

test("byte-order-mark", async () => {
  const files = {
    models: `
      {
        "books": {
          "fields": { "title": { "type": "string" } },
          "access": { "fetch": [{ "role": "user" }], "create": [{ "role": "user" }] }
        }
      }
    `,
    "hooks/books.ts": `\uFEFFexport const before_create = () => undefined;`,
  };
  expect(await printed("byte-order-mark", files)).toMatchInlineSnapshot(`
    hooks/books.ts:1:1 - error byte-order-mark: the file begins with a byte order mark
    > 1 | ﻿export const before_create = () => undefined;
        | ^
      save it as UTF-8 without one
  `);
});

test("json-too-deep", async () => {
  const models = `{ "books": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]] }`;
  expect(await printed("json-too-deep", models)).toMatchInlineSnapshot(`
    models.json:1:43 - error json-too-deep: more than 32 levels of nesting
    > 1 | { "books": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]] }
        |                                           ^
  `);
});

test("not-an-object", async () => {
  const models = `[]`;
  expect(await printed("not-an-object", models)).toMatchInlineSnapshot(`
    models.json:1:1 - error not-an-object: the models are an object, keyed by model
    > 1 | []
        | ^^
  `);
});

test("duplicate-key", async () => {
  const models = `
    {
      "books": {
        "fields": { "title": { "type": "string" }, "title": { "type": "text" } },
        "access": { "fetch": [{ "role": "*" }] }
      }
    }
  `;
  expect(await printed("duplicate-key", models)).toMatchInlineSnapshot(`
    models.json:3:48 - error duplicate-key: the key "title" stands twice in this object
    > 3 |     "fields": { "title": { "type": "string" }, "title": { "type": "text" } },
        |                                                ^^^^^^^
  `);
});

test("duplicate-model", async () => {
  const files = {
    models: `{ "books": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } } }`,
    "shop.models.json": `{ "books": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } } }`,
  };
  expect(await printed("duplicate-model", files)).toMatchInlineSnapshot(`
    shop.models.json:1:3 - error duplicate-model: model "books" stands in models.json as well
    > 1 | { "books": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } } }
        |   ^^^^^^^
  `);
});
