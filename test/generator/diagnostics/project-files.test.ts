import { expect, test } from "vitest";
import { printed } from "./printed.ts";

test("invalid-mail-template", async () => {
  const files = {
    models: `{}`,
    "mails/reminder.html": `
      <p>{{#each orders}}{{/each}}</p>
      <p>{{#if name}}</p>
    `,
    "mails/reminder.txt": `
      Subject Reminder

      Dear {{name}},
      {{order.title}} {{{name}}}
    `,
    "mails/verify-email.html": `<p>{{lnik}}</p>`,
  };
  expect(await printed("invalid-mail-template", files)).toMatchInlineSnapshot(`
    mails/reminder.html:3:1 - error invalid-mail-template: not a Handlebars template: a {{#if}} or {{#unless}} is not closed
    mails/reminder.txt:1:1 S - error invalid-mail-template: the first line must be the subject: "Subject: …"
    mails/reminder.txt:4:3 o - error invalid-mail-template: there is no value "order.title"; names have letters, digits and underscores, and begin with a letter
    mails/verify-email.html:1:6 l - error invalid-mail-template: there is no value "lnik"; did you mean "link"?; the values are service, link, email, first_name, expires_in
  `);
});

test("stray-mail-file", async () => {
  const files = {
    models: `{}`,
    "mails/Reminder.txt": `
      Subject: A

    `,
    "mails/reminder.html": `x`,
    "mails/verify-emial.txt": `
      Subject: A

    `,
  };
  expect(await printed("stray-mail-file", files)).toMatchInlineSnapshot(`
    mails/Reminder.txt:1:1 S - error stray-mail-file: this file is not a template: names have lower-case letters, digits, - and _, and end in .txt or .html
    mails/reminder.html:1:1 x - error stray-mail-file: this file needs reminder.txt next to it, with the subject and the plain text
    mails/verify-emial.txt:1:1 S - error stray-mail-file: this file is not the name of an account mail; did you mean "verify-email"?
  `);
});

test("invalid-route", async () => {
  const files = {
    models: `{ "notes": { "schema": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } } }`,
    "routes/Large.ts": `export default [];`,
    "routes/content.ts": `
      import { defineRoute } from "kirak";
      const type = "text/csv\\r\\nX-Own: 1";
      const shared = { method: "GET", access: ["*"] } as const;
      export default [
        defineRoute({ method: "GET", path: "/k", access: ["*"], answer: { content_type: type }, handler: () => "" }),
        defineRoute({
          method: "GET",
          path: "/l",
          access: ["*"],
          answer: { content_type: "csv", type: "string" },
          handler: () => "",
        }),
        defineRoute({
          method: "GET",
          path: "/m",
          access: ["*"],
          answer: { content_type: "application/ld+json; charset=utf-8" },
          handler: () => "",
        }),
        defineRoute({
          method: "GET",
          path: "/n",
          access: ["*"],
          answer: { content_type: \`text/\${shared.method}\` },
          handler: () => "",
        }),
      ];
    `,
    "routes/deep/slots.ts": `export default [];`,
    "routes/keywords.ts": `
      import { defineRoute } from "kirak";
      const shared = { maxlength: 7 };
      export default [
        defineRoute({
          method: "POST",
          path: "/keywords",
          access: ["*"],
          query: { type: "object", properties: { maxlength: { type: "string", maxlength: 7 } } },
          body: {
            type: "object",
            properties: {
              lines: { type: "array", items: { anyOf: [{ type: "string" }, { minimun: 1, enum: [{ a: 1 }] }] } },
            },
            additionalProperties: { colour: "red", default: { any: 1 } },
            ...shared,
          } as const,
          answer: {},
          handler: () => null,
        }),
      ];
    `,
    "routes/literals.ts": `
      import { defineRoute } from "kirak";
      const method = "GET";
      const staff = ["staff"];
      const shared = { answer: {}, handler: () => null } as const;
      export default [
        defineRoute({ method, path: "/a", access: ["*"], ...shared }),
        defineRoute({ method: "GET", path: \`/a/\${method}\`, access: ["*"], answer: {}, handler: () => null }),
        defineRoute({ method: "GET", path: "/b", access: [...staff], answer: {}, handler: () => null }),
        defineRoute({ ...shared, method: "GET", path: "/c", access: ["*"] }),
        defineRoute({ method: "GET", path: "/d", answer: {}, handler: () => null }),
        defineRoute({ method: "GET", path: "/e", access: "staff", answer: {}, handler: () => null }),
      ];
    `,
    "routes/none.ts": `
      import { defineRoute } from "kirak";
      defineRoute({ method: "GET", path: "/a", access: ["*"], answer: {}, handler: () => null });
    `,
    "routes/other.ts": `
      import { defineRoute } from "kirak";
      import { imported } from "./values.ts";
      const shared = [defineRoute({ method: "GET", path: "/s", access: ["*"], answer: {}, handler: () => null })];
      let changed = defineRoute({ method: "GET", path: "/t", access: ["*"], answer: {}, handler: () => null });
      changed = defineRoute({ method: "GET", path: "/u", access: ["*"], answer: {}, handler: () => null });
      const all = [imported, ...shared, changed];
      export default all;
    `,
    "routes/values.ts": `
      import { defineRoute } from "kirak";
      const common = { answer: {}, handler: () => null } as const;
      export const more = common;
      export default [
        defineRoute({ method: "HEAD", path: "/a", access: ["*"], answer: {}, handler: () => null }),
        defineRoute({ method: "GET", path: "/b/", access: [], answer: {}, handler: () => null }),
        defineRoute({ method: "GET", path: "/c", access: ["staff", "staff"], answer: {}, handler: () => null }),
        defineRoute({
          method: "GET",
          path: "/d",
          access: ["*"],
          rate_limit: { max_requests: 0, window_seconds: 1.5, per: "model", limit: 3, enabled: true },
          answer: {},
          handler: () => null,
        }),
      ];
    `,
  };
  expect(await printed("invalid-route", files)).toMatchInlineSnapshot(`
    routes/Large.ts:1:1 - error invalid-route: a routes file must be directly in the folder, with a name such as slots.ts
      use lower-case letters, digits, _ and -; put code that routes share next to the folder
    routes/content.ts:2:14 "text/csv\\r\\nX-Own: 1" - error invalid-route: "text/csv\\r\\nX-Own: 1" is not a content type such as text/csv
    routes/content.ts:10:13 { content_type: "csv", type: "string" } - error invalid-route: an answer with a "content_type" cannot have other keys
    routes/content.ts:10:29 "csv" - error invalid-route: "csv" is not a content type such as text/csv
    routes/content.ts:17:29 "application/ld+json; charset=utf-8" - error invalid-route: "application/ld+json; charset=utf-8" is JSON: declare the schema of the answer instead
    routes/content.ts:24:13 { content_type: \`text/\${shared.method}\` } - error invalid-route: "content_type" of an answer must be a literal
    routes/deep/slots.ts:1:1 - error invalid-route: a routes file must be directly in the folder, with a name such as slots.ts
      use lower-case letters, digits, _ and -; put code that routes share next to the folder
    routes/keywords.ts:8:73 maxlength - error invalid-route: JSON Schema has no keyword "maxlength"
      did you mean "maxLength"?
    routes/keywords.ts:12:72 minimun - error invalid-route: JSON Schema has no keyword "minimun"
      did you mean "minimum"?
    routes/keywords.ts:14:31 colour - error invalid-route: JSON Schema has no keyword "colour"
    routes/literals.ts:6:17 method - error invalid-route: "method" of a route must be a literal
      write a literal: the file is not run
    routes/literals.ts:7:32 path: \`/a/\${method}\` - error invalid-route: "path" of a route must be a literal
      write a literal: the file is not run
    routes/literals.ts:8:44 access: [...staff] - error invalid-route: "access" of a route must be a literal
      write a literal: the file is not run
    routes/literals.ts:9:17 ...shared - error invalid-route: a spread in a route cannot be read without running the file
      write a literal: the file is not run
    routes/literals.ts:10:3 defineRoute - error invalid-route: a route lacks "access"
    routes/literals.ts:11:3 defineRoute - error invalid-route: "method" and "path" are texts, and "access" is a list of roles
    routes/none.ts:1:1 i - error invalid-route: this file of routes has no default export
      write export default defineRoute({ … }), or a list of them
    routes/other.ts:6:14 imported - error invalid-route: this is not a route that can be read without running the file
      write defineRoute({ … }) here, or the name of a const of this file that holds it
    routes/other.ts:6:24 ...shared - error invalid-route: a spread of routes cannot be read without running the file
      write defineRoute({ … }) here, or the name of a const of this file that holds it
    routes/other.ts:6:35 changed - error invalid-route: this is not a route that can be read without running the file
      write defineRoute({ … }) here, or the name of a const of this file that holds it
    routes/values.ts:3:1 export const more = common; - error invalid-route: a file of routes has a default export and no other export
      put shared code into a file outside of this folder
    routes/values.ts:5:25 "HEAD" - error invalid-route: "HEAD" is not one of GET, POST, PUT, PATCH, DELETE
    routes/values.ts:6:38 "/b/" - error invalid-route: the path "/b/" has an empty segment
    routes/values.ts:6:53 [] - error invalid-route: no role may call the route
      name roles, "signed_in" or "*"
    routes/values.ts:7:62 "staff" - error invalid-route: the role "staff" appears twice
    routes/values.ts:12:33 0 - error invalid-route: "max_requests" of a limit is a whole number of at least 1
    routes/values.ts:12:52 1.5 - error invalid-route: "window_seconds" of a limit is a whole number of at least 1
    routes/values.ts:12:62 "model" - error invalid-route: "per" of a limit is "ip" or "user"
    routes/values.ts:12:71 limit - error invalid-route: "limit" is not one of max_requests, window_seconds, per, enabled
    routes/values.ts:12:90 true - error invalid-route: "enabled" of a limit is false, or is left out
  `);
});

test("route-name-invalid", async () => {
  const files = {
    models: `{ "notes": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } } }`,
    "routes/names.ts": `
      import { defineRoute } from "kirak";
      const get = "getAll";
      export default [
        defineRoute({ method: "GET", path: "/a", name: "BookSlot", access: ["*"], answer: {}, handler: () => null }),
        defineRoute({ method: "GET", path: "/b", name: "${"a".repeat(61)}", access: ["*"], answer: {}, handler: () => null }),
        defineRoute({ method: "GET", path: "/c", name: 7, access: ["*"], answer: {}, handler: () => null }),
        defineRoute({ method: "GET", path: "/d", name: get, access: ["*"], answer: {}, handler: () => null }),
        defineRoute({ method: "GET", path: "/e", description: 7, access: ["*"], answer: {}, handler: () => null }),
      ];
    `,
  };
  expect(await printed("route-name-invalid", files)).toMatchInlineSnapshot(`
    routes/names.ts:4:50 "BookSlot" - error route-name-invalid: the name "BookSlot" must begin with a lower-case letter and hold only letters and digits, such as bookSlot
    routes/names.ts:5:50 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" - error route-name-invalid: the name "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" is longer than 60 characters
    routes/names.ts:6:50 7 - error route-name-invalid: the name of a route is not a string
    routes/names.ts:7:44 name: get - error invalid-route: "name" of a route must be a literal
      write a literal: the file is not run
    routes/names.ts:8:57 7 - error invalid-route: the "description" of a route is a text
  `);
});

test("operation-name-taken", async () => {
  const files = {
    models: `{ "notes": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "*" }] } } }`,
    "routes/names.ts": `
      import { defineRoute } from "kirak";
      export default [
        defineRoute({ method: "GET", path: "/a", name: "fetchnotes", access: ["*"], answer: {}, handler: () => null }),
        defineRoute({ method: "GET", path: "/b", name: "health", access: ["*"], answer: {}, handler: () => null }),
        defineRoute({ method: "GET", path: "/c", name: "all", access: ["*"], answer: {}, handler: () => null }),
        defineRoute({ method: "POST", path: "/c", name: "aLL", access: ["*"], answer: {}, handler: () => null }),
        defineRoute({ method: "GET", path: "/d", name: "createNotes", access: ["*"], answer: {}, handler: () => null }),
      ];
    `,
  };
  expect(await printed("operation-name-taken", files)).toMatchInlineSnapshot(`
    routes/names.ts:3:50 "fetchnotes" - error operation-name-taken: the name "fetchnotes" of GET /a is also the name of fetch of model "notes"
      choose another name
    routes/names.ts:4:50 "health" - error operation-name-taken: the name "health" of GET /b is also the name of GET /healthz
      choose another name
    routes/names.ts:6:51 "aLL" - error operation-name-taken: the name "aLL" of POST /c is also the name of GET /c
      choose another name
    routes/names.ts:7:50 "createNotes" - error operation-name-taken: the name "createNotes" of GET /d is also the name of create of model "notes"
      choose another name
  `);
});

test("misnamed-migration", async () => {
  const files = {
    models: `{ "books": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "admin" }] } } }`,
    "migrations/0001_first.ts": `
      import { defineSqlMigration } from "kirak/migrations";
      export default defineSqlMigration({ class: "additive", up: "SELECT 1" });
    `,
    "migrations/0002_view.sql": `CREATE VIEW v AS SELECT 1;`,
    "migrations/notes.md": `Not code.`,
    "migrations/trigger.ts": `export default {};`,
  };
  expect(await printed("misnamed-migration", files)).toMatchInlineSnapshot(`
    migrations/0001_first.ts:1:1 i - error misnamed-migration: numbers below 0002 are reserved for the migration that creates the tables
      use a higher number
    migrations/0002_view.sql:1:1 - error misnamed-migration: 0002_view.sql is not a valid name of a migration
      files in this folder are migrations, named by a number and a description, such as 0007_add_trigram.ts
    migrations/trigger.ts:1:1 - error misnamed-migration: trigger.ts is not a valid name of a migration
      files in this folder are migrations, named by a number and a description, such as 0007_add_trigram.ts
  `);
});

test("invalid-migration", async () => {
  const files = {
    models: `{ "books": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "admin" }] } } }`,
    "migrations/0002_commits.ts": `
      import { defineSqlMigration } from "kirak/migrations";
      export default defineSqlMigration({
        class: "additive",
        up: ["CREATE TABLE a (); COMMIT;", "CREATE INDEX CONCURRENTLY i ON books (title)"],
        down: "-- nothing",
        batches: [
          { table: "books", size: 0, sql: "SELECT 1" },
          { table: "books", size: 10, sql: "UPDATE books SET title = ''" },
        ],
      });
    `,
    "migrations/0003_outside.ts": `
      import { defineSqlMigration } from "kirak/migrations";
      export default defineSqlMigration({
        class: "destructive",
        transaction: false,
        up: ["SELECT 1; SELECT 2", "CREATE INDEX CONCURRENTLY i ON books (title)", "DROP INDEX CONCURRENTLY i"],
      });
    `,
    "migrations/0004_computed.ts": `
      import { defineSqlMigration } from "kirak/migrations";
      const table = "books";
      export default defineSqlMigration({ class: "additive", up: \`DROP TABLE \${table}\` });
    `,
    "migrations/0005_shape.ts": `
      const defineSqlMigration = (migration: unknown) => migration;
      export default defineSqlMigration({ class: "breaking", up: 7, undo: "" });
    `,
    "migrations/0006_nothing.ts": `export const up = "SELECT 1";`,
  };
  expect(await printed("invalid-migration", files)).toMatchInlineSnapshot(`
    migrations/0002_commits.ts:1:1 i - error invalid-migration: up 1: COMMIT: a migration must not begin or end transactions
    migrations/0002_commits.ts:1:1 i - error invalid-migration: up 2: CREATE INDEX CONCURRENTLY i ON books (title): PostgreSQL refuses this in a transaction: set transaction: false
    migrations/0002_commits.ts:1:1 i - error invalid-migration: down 1 has no statement
    migrations/0002_commits.ts:1:1 i - error invalid-migration: batches 1: size must be a whole number from 1 to 100000
    migrations/0002_commits.ts:1:1 i - error invalid-migration: batches 2: sql needs $1 and $2, the lowest and the highest id of a batch, such as id BETWEEN $1 AND $2
    migrations/0003_outside.ts:1:1 i - error invalid-migration: up 1 has 2 statements: with transaction: false, write a list of texts with one statement each
    migrations/0003_outside.ts:1:1 i - error invalid-migration: up 2: CREATE INDEX CONCURRENTLY i ON books (title): it can run again after an interruption, and would then fail: write IF NOT EXISTS
    migrations/0003_outside.ts:1:1 i - error invalid-migration: up 3: DROP INDEX CONCURRENTLY i: it can run again after an interruption, and would then fail: write IF EXISTS
    migrations/0004_computed.ts:3:60 \` - error invalid-migration: is not data: a migration can contain only strings, numbers, lists and objects
    migrations/0005_shape.ts:1:1 c - error invalid-migration: is not a migration: its keys are class (additive, destructive, breaks-older-code), up and down (a string or a list of strings), transaction, batches
    migrations/0006_nothing.ts:1:1 e - error invalid-migration: exports no migration: export default defineSqlMigration({ … })
  `);
});

test("empty-migration", async () => {
  const files = {
    models: `{ "books": { "fields": { "title": { "type": "string" } }, "access": { "fetch": [{ "role": "admin" }] } } }`,
    "migrations/0002_later.ts": `
      import { defineSqlMigration } from "kirak/migrations";
      export default defineSqlMigration({ class: "additive", up: [] });
    `,
  };
  expect(await printed("empty-migration", files)).toMatchInlineSnapshot(`
    migrations/0002_later.ts:1:1 i - warning empty-migration: the migration has no SQL yet, so the database cannot be migrated
      add statements to "up" or "batches"
  `);
});

test("invalid-job", async () => {
  const files = {
    models: `{}`,
    "jobs/Tidy.ts": `
      import { defineJob } from "kirak";
      export default defineJob({ payload: { type: "object" }, run() {} });
    `,
    "jobs/cron.ts": `
      import { defineJob } from "kirak";
      const job = defineJob({
        payload: { type: "object", required: ["id"], properties: { id: { type: "integer" } } },
        cron: "0 25 * * *",
        run: () => {},
      });
      export default job;
    `,
    "jobs/deep/tidy.ts": `
      import { defineJob } from "kirak";
      export default defineJob({ payload: { type: "object" }, run() {} });
    `,
    "jobs/keywords.ts": `
      import { defineJob } from "kirak";
      export default defineJob({
        payload: { type: "object", required: ["id"], properties: { id: { type: "integer", mininum: 1 } } },
        run: () => {},
      });
    `,
    "jobs/old.js": `// export default defineJob`,
    "jobs/remind.ts": `export const payload = {};`,
  };
  expect(await printed("invalid-job", files)).toMatchInlineSnapshot(`
    jobs/Tidy.ts:1:1 i - error invalid-job: the name of the file is the name of the job: lower-case letters, digits, _ and -, starting with a letter, at most 63 characters
    jobs/cron.ts:3:40 ["id"] - error invalid-job: cron jobs get the payload {}, but this schema requires more
    jobs/cron.ts:4:9 "0 25 * * *" - error invalid-job: the hour of cron must be from 0 to 23, such as *, */2, 3, 3-5 or 3,5, not "25"
    jobs/deep/tidy.ts:1:1 - error invalid-job: this file is not read: jobs are .ts files directly in the folder
    jobs/keywords.ts:3:85 mininum - error invalid-job: JSON Schema has no keyword "mininum"
      did you mean "minimum"?
    jobs/old.js:1:1 - error invalid-job: this file is not read: jobs are .ts files directly in the folder
    jobs/remind.ts:1:1 e - error invalid-job: the file has no job: write export default defineJob({ … })
  `);
});

test("route-not-run", async () => {
  const files = {
    models: "{}",
    "routes/b.ts": `
      import { defineRoute } from "kirak";
      import { schema } from "../missing.ts";

      export default defineRoute({ method: "GET", path: "/b", access: ["admin"], answer: schema, handler: () => null });
    `,
  };
  expect(await printed("route-not-run", files)).toMatchInlineSnapshot(
    `routes/b.ts:4:84 schema - warning route-not-run: the file cannot run, so its schemas are any value in the OpenAPI document: Cannot find module 'missing.ts' imported from routes/b.ts`,
  );
});

test("schema-unknown", async () => {
  const files = {
    models: "{}",
    "routes/a.ts": `
      import { defineRoute } from "kirak";

      const standard = { version: 1, vendor: "own", validate: (value: unknown) => ({ value }) } as const;
      const query = Object.assign({ "~standard": standard });
      export default defineRoute({ method: "GET", path: "/a", access: ["admin"], query, answer: {}, handler: () => null });
    `,
  };
  expect(await printed("schema-unknown", files)).toMatchInlineSnapshot(
    `routes/a.ts:5:76 query - lint schema-unknown: "query" of GET /a is any value in the OpenAPI document: its library gives no JSON Schema for it`,
  );
});
