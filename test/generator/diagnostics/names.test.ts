import { expect, test } from "vitest";
import { printed } from "./printed.ts";

test("invalid-name", async () => {
  const models = `{
    "2books": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } },
    "order__items": {
      "fields": {
        "größe": { "type": "string" },
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": { "type": "string" }
      },
      "access": { "fetch": [{ "role": "*" }] }
    },
    "orders": { "table": "shop.orders", "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } }
  }`;
  expect(await printed("invalid-name", models)).toMatchInlineSnapshot(`
    models.json:2:5 "2books" - error invalid-name: model key "2books" does not begin with a letter
      use letters, digits and single underscores, at most 63, starting with a letter
    models.json:3:5 "order__items" - error invalid-name: model key "order__items" has two underscores in a row, which separate filters from fields
      use letters, digits and single underscores, at most 63, starting with a letter
    models.json:5:9 "größe" - error invalid-name: field "größe" of model "order__items" has a character that is not allowed
      use letters, digits and single underscores, at most 63, starting with a letter
    models.json:6:9 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" - error invalid-name: field "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" of model "order__items" has 64 characters, more than 63
      use letters, digits and single underscores, at most 63, starting with a letter
    models.json:10:26 "shop.orders" - error invalid-name: table "shop.orders" of model "orders" contains a point
      write the schema as "schema_name"
  `);
});

test("case-conflict", async () => {
  const models = `{
    "books": {
      "fields": {
        "title": { "type": "string" }, "Title": { "type": "string" }, "ID": { "type": "integer" },
        "Created_At": { "type": "integer" }
      },
      "access": { "fetch": [{ "role": "*" }] }
    },
    "Books": { "table": "more_books", "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } }
  }`;
  expect(await printed("case-conflict", models)).toMatchInlineSnapshot(`
    models.json:4:40 "Title" - error case-conflict: "title" and "Title" differ only by case (fields of model "books")
    models.json:4:71 "ID" - error case-conflict: "id" and "ID" differ only by case (fields of model "books")
    models.json:5:9 "Created_At" - error case-conflict: "created_at" and "Created_At" differ only by case (fields of model "books")
    models.json:9:5 "Books" - error case-conflict: "books" and "Books" differ only by case (model keys)
  `);
});

test("reserved-field", async () => {
  const models = `{
    "books": {
      "fields": {
        "id": { "type": "uuid" }, "created_at": { "type": "datetime" }, "title": { "type": "string" },
        "xmin": { "type": "integer" }, "ctid": { "type": "integer" }
      },
      "access": { "fetch": [{ "role": "*" }] }
    },
    "users": { "fields": { "updated_at": { "type": "datetime" } } }
  }`;
  expect(await printed("reserved-field", models)).toMatchInlineSnapshot(`
    models.json:4:9 "id" - error reserved-field: "id" of model "books" is a runtime column
      every row has it already; remove the field
    models.json:4:35 "created_at" - error reserved-field: "created_at" of model "books" is a runtime column
      every row has it already; remove the field
    models.json:5:9 "xmin" - error reserved-field: "xmin" of model "books" is a system column of PostgreSQL
      choose another name
    models.json:5:40 "ctid" - error reserved-field: "ctid" of model "books" is a system column of PostgreSQL
      choose another name
    models.json:9:28 "updated_at" - error reserved-field: "updated_at" of model "users" is a runtime column
      every row has it already; remove the field
  `);
});

test("reserved-model", async () => {
  const models = `{
    "auth": { "slug": "sign-in", "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } },
    "auth_tokens": { "table": "tokens", "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } },
    "as": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } },
    "as_": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } }
  }`;
  expect(await printed("reserved-model", models)).toMatchInlineSnapshot(`
    models.json:2:5 "auth" - error reserved-model: "auth" is reserved for the service itself
      choose another key
    models.json:2:5 "auth" - warning client-name-hidden: clients need the name "auth" themselves, so they have this model as client.models.auth only
      rename it if clients need client.auth
    models.json:3:5 "auth_tokens" - error reserved-model: "auth_tokens" is reserved for the service itself
      choose another key
    models.json:4:5 "as" - error reserved-model: "as" would be context.db.as_ in app code, which is the model "as_"
      choose another key for one of them
  `);
});

test("reserved-table", async () => {
  const models = `{
    "people": { "table": "users", "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } },
    "limits": {
      "table": "kirak_rate_limits", "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] }
    },
    "pg_books": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } }
  }`;
  expect(await printed("reserved-table", models)).toMatchInlineSnapshot(`
    models.json:2:26 "users" - error reserved-table: table "users" of model "people" belongs to the service itself
      if your database has such a table, move Kirak's own tables: "service_schema" in the manifest
    models.json:4:16 "kirak_rate_limits" - error reserved-table: table "kirak_rate_limits" of model "limits" belongs to the service itself
      if your database has such a table, move Kirak's own tables: "service_schema" in the manifest
    models.json:6:5 "pg_books" - error reserved-table: table "pg_books" of model "pg_books" begins with "pg_", which is reserved for PostgreSQL
      choose another "table"
  `);
});

test("duplicate-table", async () => {
  const models = `{
    "books": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } },
    "novels": { "table": "books", "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } },
    "pens": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } },
    "pens_pkey": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } },
    "counters": { "table": "pens_id_seq", "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } }
  }`;
  expect(await printed("duplicate-table", models)).toMatchInlineSnapshot(`
    models.json:3:26 "books" - error duplicate-table: models "books" and "novels" both use the table "books"
    models.json:5:5 "pens_pkey" - error duplicate-table: the table name "pens_pkey" is taken by the primary key of model "pens"
      choose another "table"
    models.json:6:28 "pens_id_seq" - error duplicate-table: the table name "pens_id_seq" is taken by the ids of model "pens"
      choose another "table"
  `);
});

test("invalid-slug", async () => {
  const models = `{
    "books": { "slug": "our/books", "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } },
    "authors": { "slug": "autori è", "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } }
  }`;
  expect(await printed("invalid-slug", models)).toMatchInlineSnapshot(`
    models.json:2:24 "our/books" - error invalid-slug: slug "our/books" of model "books" is not a single plain URL segment
      use letters and digits, and after the first character also . _ ~ -
    models.json:3:26 "autori è" - error invalid-slug: slug "autori è" of model "authors" is not a single plain URL segment
      use letters and digits, and after the first character also . _ ~ -
  `);
});

test("duplicate-slug", async () => {
  const models = `{
    "books": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } },
    "novels": { "slug": "Books", "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } }
  }`;
  expect(await printed("duplicate-slug", models)).toMatchInlineSnapshot(
    `models.json:3:25 "Books" - error duplicate-slug: models "books" and "novels" both use the slug "Books"`,
  );
});

test("route-collision", async () => {
  const files = {
    models: `{
      "storage": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } },
      "posts": { "slug": "account", "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } },
      "pages": { "slug": "GraphQL", "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } }
    }`,
    manifest: `{ "name": "golden", "auth_prefix": "/account/v1", "storage": { "slug": "monitoring" } }`,
    "routes/slots.ts": `
      import { defineRoute } from "kirak";
      const plain = { answer: {}, handler: () => null } as const;
      export default [
        defineRoute({ method: "GET", path: "/slots/:id", access: ["*"], answer: {}, handler: () => plain }),
        defineRoute({ method: "DELETE", path: "/slots/:id", access: ["*"], answer: {}, handler: () => plain }),
        defineRoute({ method: "GET", path: "/slots/:id", access: ["*"], answer: {}, handler: () => plain }),
        defineRoute({ method: "GET", path: "/slots/free", access: ["*"], answer: {}, handler: () => plain }),
        defineRoute({ method: "POST", path: "/slots/:slot_id", access: ["*"], answer: {}, handler: () => plain }),
        defineRoute({ method: "GET", path: "/:any", access: ["*"], answer: {}, handler: () => plain }),
        defineRoute({ method: "GET", path: "/graphql/schema", access: ["*"], answer: {}, handler: () => plain }),
        defineRoute({ method: "GET", path: "/Admin/people", access: ["*"], answer: {}, handler: () => plain }),
        defineRoute({ method: "POST", path: "/storage/:what", access: ["*"], answer: {}, handler: () => plain }),
        defineRoute({ method: "POST", path: "/storage/fetch", access: ["*"], answer: {}, handler: () => plain }),
        defineRoute({ method: "POST", path: "/storage/borrow", access: ["*"], answer: {}, handler: () => plain }),
      ];
    `,
  };
  expect(await printed("route-collision", files)).toMatchInlineSnapshot(`
    manifest.json:1:72 "monitoring" - error route-collision: storage at /monitoring and monitoring at /monitoring have conflicting paths
    models.json:2:7 "storage" - warning client-name-hidden: clients need the name "storage" themselves, so they have this model as client.models.storage only
      rename it if clients need client.storage
    models.json:3:26 "account" - error route-collision: slug "account" of model "posts" conflicts with the account routes at /account/v1
      choose another slug
    models.json:4:26 "GraphQL" - error route-collision: slug "GraphQL" of model "pages" conflicts with GraphQL at /graphql
      choose another slug
    routes/slots.ts:6:38 "/slots/:id" - error route-collision: GET /slots/:id appears twice
    routes/slots.ts:7:38 "/slots/free" - error route-collision: GET /slots/free could match a request for GET /slots/:id
    routes/slots.ts:8:39 "/slots/:slot_id" - error route-collision: POST /slots/:slot_id could match a request for GET /slots/:id
    routes/slots.ts:9:38 "/:any" - error route-collision: GET /:any could match a request for the health check at /healthz
    routes/slots.ts:9:38 "/:any" - warning docs-path-taken: Kirak does not serve its OpenAPI document at /openapi.json, because of the route GET /:any at /:any
    routes/slots.ts:9:38 "/:any" - warning docs-path-taken: Kirak does not serve the page of its OpenAPI document at /docs, because of the route GET /:any at /:any
      set "docs.path" in the manifest to serve it elsewhere
    routes/slots.ts:10:38 "/graphql/schema" - error route-collision: GET /graphql/schema could match a request for GraphQL at /graphql
    routes/slots.ts:11:38 "/Admin/people" - error route-collision: GET /Admin/people could match a request for the admin routes at /admin
    routes/slots.ts:12:39 "/storage/:what" - error route-collision: POST /storage/:what could match a request for fetch of model "storage" at /storage/fetch
    routes/slots.ts:13:39 "/storage/fetch" - error route-collision: POST /storage/fetch could match a request for POST /storage/:what
    routes/slots.ts:14:39 "/storage/borrow" - error route-collision: POST /storage/borrow could match a request for POST /storage/:what
  `);
});

test("generated-name-collision", async () => {
  const models = `{
    "books": {
      "fields": { "title": { "type": "string" }, "status": { "type": "string", "enum": ["draft", "live"] } },
      "access": { "fetch": [{ "role": "*" }] }
    },
    "books_aggregate": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } },
    "BooksWhere": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } },
    "Books_status": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } },
    "Query": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } },
    "DateTime": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } },
    "StringFilter": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } },
    "logs": { "internal": true, "fields": { "level": { "type": "string", "enum": ["low"] } } },
    "LogsWhere": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } },
    "LogsOrderBy": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } },
    "pens": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } },
    "PensAggregate": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } },
    "shops": {
      "fields": { "opens": { "type": "time" }, "visitors": { "type": "bigint" }, "tags": { "type": "string[]" } },
      "access": { "fetch": [{ "role": "*" }] }
    },
    "Time": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } },
    "Int64Filter": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } },
    "Decimal": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } },
    "StringListFilter": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } },
    "DecimalFilter": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } },
    "IntListFilter": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } }
  }`;
  expect(await printed("generated-name-collision", models)).toMatchInlineSnapshot(`
    models.json:6:5 "books_aggregate" - error generated-name-collision: model key "books_aggregate" is the GraphQL name of the aggregates of model "books"
      choose another key
    models.json:7:5 "BooksWhere" - error generated-name-collision: model key "BooksWhere" is the name of a GraphQL type that model "books" needs
      choose another key
    models.json:8:5 "Books_status" - error generated-name-collision: model key "Books_status" is the name of a GraphQL type that model "books" needs
      choose another key
    models.json:9:5 "Query" - error generated-name-collision: model key "Query" is the name of a built-in GraphQL type
      choose another key
    models.json:10:5 "DateTime" - error generated-name-collision: model key "DateTime" is the name of a built-in GraphQL type
      choose another key
    models.json:11:5 "StringFilter" - error generated-name-collision: model key "StringFilter" is the name of a built-in GraphQL type
      choose another key
    models.json:14:5 "LogsOrderBy" - error generated-name-collision: model key "LogsOrderBy" is the name of a GraphQL type that model "logs" needs
      choose another key
    models.json:16:5 "PensAggregate" - error generated-name-collision: model key "PensAggregate" needs the GraphQL type "PensAggregateOrderBy", which model "pens" also needs
      choose another key
    models.json:21:5 "Time" - error generated-name-collision: model key "Time" is the name of a GraphQL type that field "opens" of model "shops" needs
      choose another key
    models.json:22:5 "Int64Filter" - error generated-name-collision: model key "Int64Filter" is the name of a GraphQL type that field "visitors" of model "shops" needs
      choose another key
    models.json:23:5 "Decimal" - error generated-name-collision: model key "Decimal" is the name of a GraphQL type that field "visitors" of model "shops" needs
      choose another key
    models.json:24:5 "StringListFilter" - error generated-name-collision: model key "StringListFilter" is the name of a GraphQL type that field "tags" of model "shops" needs
      choose another key
  `);
});

test("ambiguous-aggregate", async () => {
  const models = `{ "books": {
    "fields": { "price": { "type": "integer" }, "min_price": { "type": "integer" }, "count": { "type": "integer" } },
    "access": { "fetch": [{ "role": "*" }] }
  } }`;
  expect(await printed("ambiguous-aggregate", models)).toMatchInlineSnapshot(`
    models.json:2:49 "min_price" - warning ambiguous-aggregate: field "min_price" of model "books" has the name of a key in aggregate answers
      rename it: an aggregate that groups by it cannot return both
    models.json:2:85 "count" - warning ambiguous-aggregate: field "count" of model "books" has the name of a key in aggregate answers
      rename it: an aggregate that groups by it cannot return both
  `);
});

test("hidden-field", async () => {
  const models = `{ "books": {
    "fields": { "limit": { "type": "integer" }, "order": { "type": "string" }, "search": { "type": "string" } },
    "access": { "fetch": [{ "role": "*" }] }
  } }`;
  expect(await printed("hidden-field", models)).toMatchInlineSnapshot(`
    models.json:2:17 "limit" - warning hidden-field: field "limit" of model "books" has the name of a reserved parameter
      rename it, or filter by limit__in in query strings; GraphQL lists cannot be filtered by it
    models.json:2:49 "order" - warning hidden-field: field "order" of model "books" has the name of a reserved parameter
      rename it, or filter by order__in in query strings
    models.json:2:80 "search" - warning hidden-field: field "search" of model "books" has the name of a reserved parameter
      rename it, or filter by it over REST: GraphQL lists cannot
  `);
});

test("page-field-hidden", async () => {
  const model = `{ "fields": { "name": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } }`;
  const models = `{ "books": ${model}, "books_page": ${model}, "orders": ${model}, "OrdersPage": ${model} }`;
  expect(await printed("page-field-hidden", models)).toMatchInlineSnapshot(`
    models.json:1:102 "books_page" - warning page-field-hidden: model "books_page" has a name that the GraphQL pages of model "books" need, so "books" has no pages
      rename it if clients need books_page
    models.json:1:306 "OrdersPage" - warning page-field-hidden: model "OrdersPage" has a name that the GraphQL pages of model "orders" need, so "orders" has no pages
      rename it if clients need orders_page
  `);
});

test("built-in-field", async () => {
  const models = `{ "users": {
    "fields": { "email": { "type": "email", "required": true }, "nickname": { "type": "string" } },
    "access": { "fields": { "email": { "read": ["staff"] } } }
  } }`;
  expect(await printed("built-in-field", models)).toMatchInlineSnapshot(`
    models.json:2:17 "email" - error built-in-field: "email" of model "users" is a built-in column and cannot be changed
      remove the field; its read rules go to "access": { "fields": … }
  `);
});

test("built-in-key", async () => {
  const models = `{ "users": {
    "table": "people", "slug": "people", "id_type": "uuid", "soft_delete": true, "internal": false, "max_limit": 50,
    "checks": [{ "name": "named", "condition": "nickname IS NOT NULL", "message": "Have one." }],
    "rate_limit": { "max_requests": 10, "window_seconds": 60 }, "renamed_from": "people",
    "fields": { "nickname": { "type": "string" } },
    "access": { "fetch": [{ "role": "*" }], "fields": { "nickname": { "read": ["*"] } } }
  } }`;
  expect(await printed("built-in-key", models)).toMatchInlineSnapshot(`
    models.json:2:5 "table" - error built-in-key: "table" of model "users" cannot be set: the accounts are built in
      remove it; an entry adds fields, relations, keys, indexes and read rules
    models.json:2:24 "slug" - error built-in-key: "slug" of model "users" cannot be set: the accounts are built in
      remove it; an entry adds fields, relations, keys, indexes and read rules
    models.json:2:42 "id_type" - error built-in-key: "id_type" of model "users" cannot be set: the accounts are built in
      remove it; an entry adds fields, relations, keys, indexes and read rules
    models.json:2:61 "soft_delete" - error built-in-key: "soft_delete" of model "users" cannot be set: the accounts are built in
      remove it; an entry adds fields, relations, keys, indexes and read rules
    models.json:2:82 "internal" - error built-in-key: "internal" of model "users" cannot be set: the accounts are built in
      remove it; an entry adds fields, relations, keys, indexes and read rules
    models.json:2:101 "max_limit" - error built-in-key: "max_limit" of model "users" cannot be set: the accounts are built in
      remove it; an entry adds fields, relations, keys, indexes and read rules
    models.json:3:5 "checks" - error built-in-key: "checks" of model "users" cannot be set: the accounts are built in
      remove it; an entry adds fields, relations, keys, indexes and read rules
    models.json:4:5 "rate_limit" - error built-in-key: "rate_limit" of model "users" cannot be set: the accounts are built in
      remove it; an entry adds fields, relations, keys, indexes and read rules
    models.json:4:65 "renamed_from" - error built-in-key: "renamed_from" of model "users" cannot be set: the accounts are built in
      remove it; an entry adds fields, relations, keys, indexes and read rules
    models.json:6:17 "fetch" - error built-in-key: rules for "fetch" of model "users" have no effect: the accounts have no model routes
      remove them; "fields" sets which roles can read a field in joins
  `);
});

test("client-name-hidden", async () => {
  const model = `"fields": { "name": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] }`;
  const models = `{ "then": { ${model} }, "rateLimits": { ${model} }, "session": { "internal": true, "fields": {} } }`;
  expect(await printed("client-name-hidden", models)).toMatchInlineSnapshot(`
    models.json:1:3 "then" - warning client-name-hidden: clients need the name "then" themselves, so they have this model as client.models.then only
      rename it if clients need client.then
    models.json:1:101 "rateLimits" - warning client-name-hidden: clients need the name "rateLimits" themselves, so they have this model as client.models.rateLimits only
      rename it if clients need client.rateLimits
  `);
});

test("docs-path-taken", async () => {
  const model = `{ "fields": { "name": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } }`;
  const route = (path: string) =>
    `import { defineRoute } from "kirak";\nexport default defineRoute({ method: "GET", path: "${path}", access: ["*"], answer: {}, handler: () => null });`;
  const taken = async (files: Readonly<Record<string, string>>) => await printed("docs-path-taken", files);
  const declared = (path: string) => ({
    models: `{ "books": ${model}, "docs": ${model} }`,
    manifest: `{ "name": "shop", "docs": { "path": "${path}" }, "lint_ignore": { "docs-path-taken": "A warning." } }`,
    "routes/tools.ts": route("/tools/:id"),
  });
  expect(await taken(declared("/books/Docs"))).toMatchInlineSnapshot(`
    manifest.json:1:37 "/books/Docs" - error docs-path-taken: "docs.path" "/books/Docs" conflicts with model "books" at /books
      choose another path
  `);
  expect(await taken(declared("/tools/docs"))).toMatchInlineSnapshot(`
    manifest.json:1:37 "/tools/docs" - error docs-path-taken: "docs.path" "/tools/docs" conflicts with the route GET /tools/:id at /tools/:id
      choose another path
  `);
  expect(await taken(declared("/auth"))).toMatchInlineSnapshot(`
    manifest.json:1:37 "/auth" - error docs-path-taken: "docs.path" "/auth" conflicts with the account routes at /auth
      choose another path
  `);
  expect(await taken(declared("/openapi.json"))).toMatchInlineSnapshot(`
    manifest.json:1:37 "/openapi.json" - error docs-path-taken: "docs.path" "/openapi.json" conflicts with the OpenAPI document at /openapi.json
      choose another path
  `);
  const files = { models: `{ "Docs": ${model} }`, "routes/all.ts": route("/openapi.json") };
  expect(await taken(files)).toMatchInlineSnapshot(`
    models.json:1:3 "Docs" - warning docs-path-taken: Kirak does not serve the page of its OpenAPI document at /docs, because of model "Docs" at /Docs
      set "docs.path" in the manifest to serve it elsewhere
    routes/all.ts:2:51 "/openapi.json" - warning docs-path-taken: Kirak does not serve its OpenAPI document at /openapi.json, because of the route GET /openapi.json at /openapi.json
  `);
  const prefixed = {
    models: `{ "books": ${model} }`,
    manifest: `{ "name": "shop", "auth_prefix": "/docs" }`,
  };
  expect(await taken(prefixed)).toMatchInlineSnapshot(`
    manifest.json:1:34 "/docs" - warning docs-path-taken: Kirak does not serve the page of its OpenAPI document at /docs, because of the account routes at /docs
      set "docs.path" in the manifest to serve it elsewhere
  `);
});
