import { expect, test } from "vitest";
import { printed } from "./printed.ts";

const manifest = '{ "name": "golden", "modules": ["mcp"] }';
const long = "catalogue_entries_of_the_regional_library_association_archive";

test("mcp-operation", async () => {
  const models = `{
      "notes": {
        "fields": { "text": { "type": "string" } },
        "access": { "fetch": [{ "role": "user" }] },
        "mcp": ["fetch", "restore"]
      },
      "rates": {
        "read_only": true, "fields": { "text": { "type": "string" } },
        "access": { "fetch": [{ "role": "user" }] },
        "mcp": ["count", "create", "restore"]
      },
      "logs": { "internal": true, "fields": { "text": { "type": "string" } }, "mcp": true }
    }`;
  expect(await printed("mcp-operation", { models, manifest })).toMatchInlineSnapshot(`
    models.json:5:26 "restore" - error mcp-operation: "restore" of model "notes" cannot be a tool: without soft delete the model has no restore
      remove it, or add "soft_delete": true
    models.json:10:26 "create" - error mcp-operation: "create" of model "rates" cannot be a tool: the model can only be read
      remove it
    models.json:10:36 "restore" - error mcp-operation: "restore" of model "rates" cannot be a tool: the model can only be read
      remove it
    models.json:12:86 true - error mcp-operation: model "logs" is internal, so it has no operations that could be tools
      remove "mcp", or "internal"
  `);
});

test("mcp-tool-name", async () => {
  const files = {
    models: `{
      "notes": {
        "fields": { "text": { "type": "string" } },
        "access": { "$all": [{ "role": "user" }] },
        "mcp": ["fetch", "create"]
      },
      "${long}": {
        "fields": { "text": { "type": "string" } },
        "access": { "$all": [{ "role": "user" }] },
        "mcp": ["count", "exists"]
      }
    }`,
    manifest,
    "routes/notes.ts": `
      import { defineRoute } from "kirak";

      export default [
        defineRoute({ method: "POST", path: "/a", access: ["user"], answer: {}, mcp: { name: "notes_fetch" }, handler: () => null }),
        defineRoute({ method: "POST", path: "/b", access: ["user"], answer: {}, mcp: { name: "starNote" }, handler: () => null }),
        defineRoute({ method: "POST", path: "/c", access: ["user"], answer: {}, mcp: { name: "star_note" }, handler: () => null }),
        defineRoute({ method: "POST", path: "/d", access: ["user"], answer: {}, mcp: { name: "star_note" }, handler: () => null }),
        defineRoute({ method: "POST", path: "/e", access: ["user"], answer: {}, mcp: { name: "${"a".repeat(65)}" }, handler: () => null }),
        defineRoute({ method: "POST", path: "/f", access: ["user"], answer: {}, mcp: { name: "${"a".repeat(64)}" }, handler: () => null }),
        defineRoute({ method: "POST", path: "/g", access: ["user"], answer: {}, mcp: { name: "notes_update" }, handler: () => null }),
      ];
    `,
  };
  expect(await printed("mcp-tool-name", files)).toMatchInlineSnapshot(`
    models.json:10:17 "count" - error mcp-tool-name: the tool "catalogue_entries_of_the_regional_library_association_archive_count" has a name of 67 characters, more than 64
      choose a shorter key for the model: many assistants refuse longer names
    models.json:10:26 "exists" - error mcp-tool-name: the tool "catalogue_entries_of_the_regional_library_association_archive_exists" has a name of 68 characters, more than 64
      choose a shorter key for the model: many assistants refuse longer names
    routes/notes.ts:4:88 "notes_fetch" - error mcp-tool-name: the tool of POST /a has the name "notes_fetch", which is also that of fetch of model "notes"
      choose another name
    routes/notes.ts:5:88 "starNote" - error mcp-tool-name: the name "starNote" of a tool must begin with a lower-case letter and hold only lower-case letters, digits and underscores, such as book_slot
    routes/notes.ts:7:88 "star_note" - error mcp-tool-name: the tool of POST /d has the name "star_note", which is also that of POST /c
      choose another name
    routes/notes.ts:8:88 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" - error mcp-tool-name: the name "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" of a tool is longer than 64 characters
  `);
});

test("mcp-off", async () => {
  const files = {
    models: `{
      "notes": { "fields": { "text": { "type": "string" } }, "access": { "fetch": [{ "role": "user" }] }, "mcp": true },
      "logs": { "fields": { "text": { "type": "string" } }, "access": { "fetch": [{ "role": "user" }] }, "mcp": false },
      "rows": { "fields": { "text": { "type": "string" } }, "access": { "fetch": [{ "role": "user" }] }, "mcp": ["count"],
        "lint_ignore": { "mcp-off": "turned on in May" } }
    }`,
    "routes/notes.ts": `
      import { defineRoute } from "kirak";

      export default defineRoute({
        method: "POST", path: "/star", access: ["user"], answer: {}, mcp: { name: "star" }, handler: () => null,
      });
    `,
  };
  expect(await printed("mcp-off", files)).toMatchInlineSnapshot(`
    models.json:2:114 true - warning mcp-off: the module mcp is off, so "mcp" exposes nothing
      add "mcp" to "modules" of the manifest, or remove it here
    routes/notes.ts:4:77 "star" - warning mcp-off: the module mcp is off, so "mcp" exposes nothing
      add "mcp" to "modules" of the manifest, or remove it here
  `);
});

test("what a route says of its tool can be read", async () => {
  const route = (mcp: string, parts = "answer: {}") =>
    `defineRoute({ method: "POST", path: "/${mcp.length}-${parts.length}", access: ["*"], ${parts}, mcp: ${mcp}, handler: () => null }),`;
  const files = {
    models: "{}",
    manifest,
    "routes/odd.ts": [
      'import { defineRoute } from "kirak";',
      "export default [",
      route('{ name: "a_tool", describtion: "A." }'),
      route('{ description: "A tool." }'),
      route('"a_tool"'),
      route('{ name: "a", description: 1 }'),
      route('{ name: "raw" }', "answer: {}, raw: true"),
      route('{ name: "report" }', 'answer: { content_type: "text/csv" }'),
      route("{ name: process.argv[0] }"),
      "];",
    ].join("\n"),
  };
  expect(await printed("invalid-route", files)).toMatchInlineSnapshot(`
    routes/odd.ts:3:97 describtion - error invalid-route: "describtion" is not one of name, description
    routes/odd.ts:4:79 { description: "A tool." } - error invalid-route: the "mcp" of a route is an object with a text "name", and a "description" or none
    routes/odd.ts:5:78 "a_tool" - error invalid-route: the "mcp" of a route is an object with a text "name", and a "description" or none
    routes/odd.ts:6:79 { name: "a", description: 1 } - error invalid-route: the "mcp" of a route is an object with a text "name", and a "description" or none
    routes/odd.ts:7:98 "raw" - error invalid-route: POST /15-21 cannot be a tool: a route with "raw" takes or answers bytes, and tools take and answer JSON
      remove "mcp"
    routes/odd.ts:8:113 "report" - error invalid-route: POST /18-36 cannot be a tool: a route with a "content_type" takes or answers bytes, and tools take and answer JSON
      remove "mcp"
    routes/odd.ts:9:74 mcp: { name: process.argv[0] } - error invalid-route: "mcp" of a route must be a literal
      write a literal: the file is not run
  `);
});

test("mcp-closed", async () => {
  const field = '{ "text": { "type": "string", "searchable": true, "description": "The text." } }';
  const models = `{
      "notes": {
        "description": "Notes.", "soft_delete": true, "fields": ${field},
        "access": { "fetch": [{ "role": "admin" }], "update": [{ "role": "admin" }] },
        "mcp": ["fetch", "count", "exists", "search", "create", "upsert", "restore"]
      },
      "pages": {
        "description": "Pages.", "fields": ${field}, "access": { "fetch": [{ "role": "admin" }] }, "mcp": true,
        "lint_ignore": { "unindexed-search": "few" }
      },
      "rows": {
        "description": "Rows.", "fields": ${field}, "access": { "fetch": [{ "role": "admin" }] }, "mcp": ["create"],
        "lint_ignore": { "mcp-closed": "for an agent that comes in May" }
      }
    }`;
  expect(await printed("mcp-closed", { models, manifest })).toMatchInlineSnapshot(`
    models.json:5:45 "search" - lint mcp-closed: no rule opens search of model "notes", so no role has this tool
      add rules to "search", or remove it from "mcp"
    models.json:5:55 "create" - lint mcp-closed: no rule opens create of model "notes", so no role has this tool
      add rules to "create", or remove it from "mcp"
    models.json:5:75 "restore" - lint mcp-closed: no rule opens restore of model "notes", so no role has this tool
      add rules to "restore", or remove it from "mcp"
    models.json:8:179 true - lint mcp-closed: no rule opens search of model "pages", so no role has this tool
      add rules to "search", or remove it from "mcp"
    models.json:9:26 "unindexed-search" - lint unused-lint-ignore: "unindexed-search" silences nothing in model "pages"
      remove the entry, or it hides the next finding of this kind
  `);
});

test("mcp-description", async () => {
  const files = {
    models: `{
      "notes": {
        "fields": {
          "text": { "type": "string" },
          "title": { "type": "string", "description": "The title." },
          "kind": { "type": "string", "lint_ignore": { "mcp-description": "its name says it" } },
          "shut": { "type": "string" },
          "owner_id": { "type": "integer", "preset": "{user_id}" }
        },
        "access": { "fetch": [{ "role": "admin" }], "create": [{ "role": "admin" }], "fields": { "shut": { "write": [] } } },
        "mcp": ["create"]
      },
      "pages": {
        "description": " ",
        "fields": { "text": { "type": "string" } },
        "access": { "fetch": [{ "role": "admin" }] }, "mcp": ["fetch"]
      },
      "other": { "fields": { "text": { "type": "string" } }, "access": { "fetch": [{ "role": "admin" }] } }
    }`,
    manifest,
    "routes/notes.ts": `
      import { defineRoute } from "kirak";

      export default [
        defineRoute({ method: "POST", path: "/a", access: ["admin"], answer: {}, mcp: { name: "a" }, handler: () => null }),
        defineRoute({ method: "POST", path: "/b", access: ["admin"], answer: {}, handler: () => null }),
        defineRoute({ method: "POST", path: "/c", access: ["admin"], answer: {}, description: "C.", mcp: { name: "c" }, handler: () => null }),
        defineRoute({ method: "POST", path: "/d", access: ["admin"], answer: {}, mcp: { name: "d", description: "D." }, handler: () => null }),
      ];
    `,
  };
  expect(await printed("mcp-description", files)).toMatchInlineSnapshot(`
    models.json:2:7 "notes" - lint mcp-description: model "notes" has tools and no description: assistants learn its purpose from the name only
      add a "description"
    models.json:4:11 "text" - lint mcp-description: "text" of model "notes" is an argument of a tool and has no description
      add a "description", with the unit or the form of the value
    models.json:13:7 "pages" - lint mcp-description: model "pages" has tools and no description: assistants learn its purpose from the name only
      add a "description"
    routes/notes.ts:4:89 "a" - lint mcp-description: POST /a is a tool without a description
      add a "description" to the route, or to its "mcp"
  `);
});

test("mcp-many-tools", async () => {
  const all = '["fetch", "search", "count", "exists", "create", "update", "upsert", "delete"]';
  const model = (index: number, role: string, mcp: string) =>
    `"m${index}": { "description": "M.", "fields": { "text": { "type": "string", "min_length": 1, "description": "The text." } },
      "access": { "$all": [{ "role": "${role}" }] }, "mcp": ${mcp} }`;
  const models = (last: string) =>
    `{ ${[...[0, 1, 2, 3].map((index) => model(index, "admin", all)), model(4, "superadmin", all), model(5, "admin", last)].join(", ")} }`;
  const withMore =
    '["fetch", "search", "count", "exists", "create", "update", "upsert", "delete", "destroy"]';
  expect(await printed("mcp-many-tools", { models: models(withMore), manifest })).toMatchInlineSnapshot(`
    manifest.json:1:33 "mcp" - lint mcp-many-tools: the role "admin" has 41 tools, more than 40: assistants choose worse among many, and some hosts refuse them
      expose fewer operations: npx kirak mcp tools shows what they cost
  `);
  await expect(printed("mcp-many-tools", { models: models(all), manifest })).rejects.toThrow();
});

test("no slug, prefix or route can be at the endpoint", async () => {
  const models = `{
      "tools": { "slug": "mcp", "fields": { "text": { "type": "string" } }, "access": { "fetch": [{ "role": "user" }] } }
    }`;
  const routes = `
      import { defineRoute } from "kirak";

      export default defineRoute({ method: "GET", path: "/mcp/:id", access: ["user"], answer: {}, handler: () => null });
    `;
  const taken =
    '{ "name": "golden", "modules": ["mcp", "storage"], "storage": { "slug": "mcp", "scope": "user" } }';
  const files = { models, manifest: taken, "routes/mcp.ts": routes };
  expect(await printed("route-collision", files)).toMatchInlineSnapshot(`
    manifest.json:1:73 "mcp" - error route-collision: storage at /mcp and the module mcp at /mcp have conflicting paths
    models.json:2:26 "mcp" - error route-collision: slug "mcp" of model "tools" conflicts with the module mcp at /mcp
      choose another slug
    routes/mcp.ts:3:51 "/mcp/:id" - error route-collision: GET /mcp/:id could match a request for the module mcp at /mcp
  `);
  const below =
    '{ "name": "golden", "modules": ["mcp"], "service_prefix": "/api", "auth_prefix": "/api/mcp" }';
  expect(await printed("route-collision", { models, manifest: below })).toMatchInlineSnapshot(`
    manifest.json:1:82 "/api/mcp" - error route-collision: the account routes at /api/mcp and the module mcp at /api/mcp have conflicting paths
    models.json:2:26 "mcp" - error route-collision: slug "mcp" of model "tools" conflicts with the module mcp at /api/mcp
      choose another slug
  `);
  await expect(printed("route-collision", models)).rejects.toThrow("expected [] to include");
});

test("the key mcp is reserved while the module is on", async () => {
  const models = '{ "mcp": { "slug": "tools", "fields": { "text": { "type": "string" } } } }';
  expect(await printed("reserved-model", { models, manifest })).toMatchInlineSnapshot(`
    models.json:1:3 "mcp" - error reserved-model: "mcp" is reserved for the tools of the module mcp
      choose another key
    models.json:1:3 "mcp" - warning unreachable-model: no role may run any operation of model "mcp"
      add rules to "access", or "internal": true if that is intended
  `);
});

test("operations that do not exist, or appear twice", async () => {
  const models = `{ "notes": { "fields": { "text": { "type": "string" } }, "mcp": ["fetch", "fetc", "fetch"] },
      "logs": { "fields": { "text": { "type": "string" } }, "mcp": "all" } }`;
  expect(await printed("invalid-value", { models, manifest })).toMatchInlineSnapshot(`
    models.json:1:3 "notes" - warning unreachable-model: no role may run any operation of model "notes"
      add rules to "access", or "internal": true if that is intended
    models.json:1:66 "fetch" - error invalid-value: "fetch" appears twice in "mcp" of model "notes"
    models.json:1:75 "fetc" - error invalid-value: an item of "mcp" of model "notes" is "fetc"
      did you mean "fetch"?
    models.json:2:7 "logs" - warning unreachable-model: no role may run any operation of model "logs"
      add rules to "access", or "internal": true if that is intended
    models.json:2:68 "all" - error wrong-type: "mcp" of model "logs" must be a boolean or an array, not a string
  `);
});

test("accounts have no tools", async () => {
  const models = '{ "users": { "mcp": true } }';
  expect(await printed("built-in-key", { models, manifest })).toMatchInlineSnapshot(`
    models.json:1:14 "mcp" - error built-in-key: "mcp" of model "users" cannot be set: the accounts are built in
      remove it; an entry adds fields, relations, keys, indexes and read rules
  `);
});
