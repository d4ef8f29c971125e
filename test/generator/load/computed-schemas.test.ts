import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { readDefinition } from "#generator/pipeline/generate";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { repository } from "../support/project.ts";

/** An app with packages, and these files of `models/`. */
async function readApp(files: Readonly<Record<string, string>>) {
  const root = temporaryFolder("kirak-schemas-");
  mkdirSync(join(root, "node_modules", "@valibot"), { recursive: true });
  symlinkSync(repository, join(root, "node_modules", "kirak"));
  for (const name of ["zod", "valibot", "arktype", "@valibot/to-json-schema"])
    symlinkSync(join(repository, "node_modules", name), join(root, "node_modules", name));
  writeFileSync(join(root, "package.json"), '{ "type": "module" }');
  const needed = { "models.json": "{}", "manifest.json": '{ "name": "app" }' };
  for (const [path, text] of Object.entries({ ...needed, ...files })) {
    mkdirSync(dirname(join(root, "models", path)), { recursive: true });
    writeFileSync(join(root, "models", path), text);
  }
  const places = { models: "models/models.json", manifest: "models/manifest.json" };
  const { definition, diagnostics } = await readDefinition({ root, ...places, lint: true });
  return {
    schemas: definition?.routes.map(({ schemas }) => schemas),
    messages: diagnostics
      .filter(({ code }) => code === "schema-unknown" || code === "route-not-run")
      .map(({ message }) => message),
  };
}

test("schemas that are not literals are those that the code has", async () => {
  const { schemas, messages } = await readApp({
    "shop/shared.ts": 'export const shared = { type: "object", properties: { b: { type: "string" } } };',
    "routes/shop.ts": `
      import { toStandardJsonSchema } from "@valibot/to-json-schema";
      import { type } from "arktype";
      import { defineRoute } from "kirak";
      import * as v from "valibot";
      import { z } from "zod";
      import { shared } from "../shop/shared.ts";

      console.log("a module can print");
      setInterval(() => {}, 1000);
      export default [
        defineRoute({ method: "POST", path: "/a/:id", access: ["*"], query: z.object({ page: z.number().default(1) }),
          body: toStandardJsonSchema(v.object({ a: v.string() })), params: z.object({ id: z.coerce.date() }), answer: z.object({ at: z.iso.date() }), handler: () => ({ at: "" }) }),
        defineRoute({ method: "POST", path: "/b", access: ["*"], query: { type: "object" }, body: shared,
          answer: type({ a: "string" }), handler: () => ({ a: "" }) }),
      ];
    `,
  });
  expect(messages).toEqual([]);
  expect(schemas).toMatchObject([
    {
      params: { type: "object", properties: { id: {} } },
      query: { type: "object", properties: { page: { type: "number", default: 1 } } },
      body: { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
      answer: { schema: { type: "object", properties: { at: { type: "string", format: "date" } } } },
    },
    {
      query: { type: "object" },
      body: { properties: { b: { type: "string" } } },
      answer: { schema: { type: "object", required: ["a"] } },
    },
  ]);
});

/** A route whose answer is computed, after these lines. */
const after = (lines: string, path: string) => `
  import { defineRoute } from "kirak";
  ${lines}
  const answer = JSON.parse('{ "type": "string" }');
  export default defineRoute({ method: "GET", path: "${path}", access: ["*"], answer, handler: () => "" });
`;

test("a schema without a JSON Schema, and a file that cannot run, are findings", async () => {
  const { schemas, messages } = await readApp({
    "routes/a.ts": after('process.send({ file: 1 }); process.send(null); throw new Error("no shop");', "/a"),
    "routes/b.ts": `
      import { defineRoute } from "kirak";
      import * as v from "valibot";

      export default defineRoute({ method: "GET", path: "/b", access: ["*"], query: v.object({}), answer: {}, handler: () => null });
    `,
    "routes/c.ts": after(`const large = "x".repeat(1_000_000); console.log(large);`, "/c"),
    "routes/d.ts": after("process.exit(0);", "/d"),
    "routes/e.ts": after("", "/e"),
  });
  expect(schemas).toMatchObject([
    { answer: { schema: {} } },
    { query: {} },
    { answer: { schema: { type: "string" } } },
    { answer: { schema: {} } },
    { answer: { schema: {} } },
  ]);
  const notRun = "the file cannot run, so its schemas are any value in the OpenAPI document";
  expect(messages).toEqual([
    `${notRun}: no shop`,
    '"query" of GET /b is any value in the OpenAPI document: its library gives no JSON Schema for it',
    `${notRun}: its process ended`,
    `${notRun}: its process ended`,
  ]);
});

test("an answer of another file can be content, and a large schema arrives", async () => {
  const many = `Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => ["property" + at, { type: "string" }]))`;
  const { schemas, messages } = await readApp({
    "shop/shared.ts": `export const csv = { content_type: "text/csv" }; export const wide = { type: "object", properties: ${many} };`,
    "routes/a.ts": `
      import { defineRoute } from "kirak";
      import { csv, wide } from "../shop/shared.ts";

      export default [
        defineRoute({ method: "GET", path: "/a", access: ["*"], answer: csv, handler: () => "" }),
        defineRoute({ method: "GET", path: "/b", access: ["*"], answer: wide, handler: () => ({}) }),
      ];
    `,
  });
  expect(messages).toEqual([]);
  expect(schemas).toMatchObject([
    { answer: { contentType: "text/csv" } },
    { answer: { schema: { properties: { property19999: { type: "string" } } } } },
  ]);
});

test("in a file that runs, nested schemas of other files are known too", async () => {
  const { schemas } = await readApp({
    "shop/shared.ts": 'export const shared = { type: "string" };',
    "routes/a.ts": `
      import { defineRoute } from "kirak";
      import { shared } from "../shop/shared.ts";

      export default defineRoute({ method: "POST", path: "/a", access: ["*"], answer: shared,
        body: { type: "object", properties: { a: shared } }, handler: () => "" });
    `,
  });
  expect(schemas).toEqual([
    {
      ...{ params: null, query: null, raw: false },
      body: { type: "object", properties: { a: { type: "string" } } },
      answer: { schema: { type: "string" } },
    },
  ]);
});
