import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { compileCodeSchema } from "#runtime/models/validation/index";
import type { JsonObject } from "#vocabulary/json";
import { folderWith } from "./support/folder-with.ts";
import { kirak } from "./support/kirak.ts";

const named = (properties: JsonObject, more: JsonObject = {}) => ({ type: "object", properties, ...more });
const ref = (name: string, more: JsonObject = {}) => ({ $ref: `#/$defs/${name}`, ...more });
const number = { type: "integer" };
const $defs = {
  a: named({ a: number }),
  b: named({ b: number }),
  node: named({ value: number, kids: { type: "array", items: ref("node") } }),
};

/** Bodies of routes. */
const bodies: { readonly [name: string]: JsonObject } = {
  all: { allOf: [ref("a")], properties: { b: number }, $defs },
  any: { anyOf: [ref("a"), ref("b")], $defs },
  one: { oneOf: [ref("a", { required: ["a"] }), ref("b", { required: ["b"] })], $defs },
  not: named({ a: {}, b: {} }, { not: ref("a", { required: ["a"] }), $defs }),
  sibling: ref("a", { properties: { b: number }, $defs }),
  described: named({ a: ref("a", { description: "An a." }) }, { $defs }),
  open: ref("a", { unevaluatedProperties: true, $defs }),
  data: named({ a: { const: { $ref: "#/$defs/a" } } }, { $defs }),
};

/** Schemas that go on without end. */
const endless: { readonly [name: string]: JsonObject } = {
  extended: named(
    { kids: { type: "array", items: { allOf: [ref("node")], properties: { extra: number } } } },
    { $defs },
  ),
  refused: named({ value: {}, kids: {} }, { not: named({ kids: { contains: ref("node") } }), $defs }),
};

const levels = Object.fromEntries(
  Array.from({ length: 16 }, (_, level) => {
    const inner = level === 15 ? number : ref(`level${level + 1}`);
    return [`level${level}`, named({ left: inner, right: inner })];
  }),
);

const values: readonly JsonObject[] = [
  ...[{}, { a: 1 }, { b: 1 }, { a: 1, b: 1 }, { c: 1 }, { a: 1, c: 1 }, { a: "x" }, { b: "x" }],
  ...[{ a: { a: 1 } }, { a: { c: 1 } }, { a: { a: 1, c: 1 } }, { a: { $ref: "#/$defs/a" } }],
  { kids: [{ value: 1, extra: 1 }] },
  { kids: [{ kids: [{ value: 1, kids: [{}] }], extra: 1 }] },
  { kids: [{ value: 1 }], value: 1 },
  { kids: ["x"] },
];

const routes = Object.entries({ ...bodies, ...endless, large: ref("level0", { $defs: levels }) }).map(
  ([name, body]) =>
    `defineRoute({ method: "POST", path: "/${name}", access: ["*"], mcp: { name: "${name}" }, answer: {},
      body: ${JSON.stringify(body)}, handler: () => null }),`,
);
const access = { fetch: [{ role: "*" }], count: [{ role: "staff" }] };
const app = folderWith({
  "models/manifest.json": { name: "schemas", modules: ["mcp"] },
  "models/models.json": {
    routes: { fields: { word: { type: "string" } }, access, mcp: ["fetch", "count"], slug: "words" },
  },
  "models/routes/all.ts": `import { defineRoute } from "kirak";
    export default [${routes.join("\n")}
      defineRoute({ method: "GET", path: "/all/words/count", access: ["*"], answer: {}, handler: () => null }),
      defineRoute({ method: "GET", path: "/other", access: ["*"], mcp: { name: "other" }, answer: {},
        query: { type: "object", properties: { a: { type: "string" } }, additionalProperties: true }, handler: () => null }),
    ];`,
});
const { stdout, stderr } = await kirak(app, ["mcp", "tools", "--role", "guest"]);

interface Listed {
  readonly name: string;
  readonly inputSchema: { readonly properties: { readonly [name: string]: JsonObject } };
}

/** By name. */
const tools = new Map<string, Listed>(
  (stdout === "" ? [] : JSON.parse(stdout)).map((tool: Listed) => [tool.name, tool]),
);
const bodyOf = (name: string): JsonObject => tools.get(name)?.inputSchema.properties["body"] ?? {};

test("the schema of a route accepts what the service accepts", () => {
  expect(stderr).toContain("tools, roughly");
  const ajv = new Ajv2020({ strict: false });
  for (const [name, body] of Object.entries(bodies)) {
    const accepts = ajv.compile(bodyOf(name));
    const service = compileCodeSchema(body);
    for (const value of values)
      expect([name, value, accepts(value)]).toEqual([name, value, service(value).length === 0]);
  }
});

test("a schema that has no end accepts at least what the service accepts", () => {
  const ajv = new Ajv2020({ strict: false });
  for (const [name, body] of Object.entries(endless)) {
    const accepts = ajv.compile(bodyOf(name));
    const accepted = values.filter((value) => compileCodeSchema(body)(value).length === 0);
    expect(accepted.length).toBeGreaterThan(0);
    expect(
      accepted.filter((value) => !accepts(value)),
      name,
    ).toEqual([]);
  }
  expect(JSON.stringify(bodyOf("extended"))).not.toContain("$ref");
});

test("shared schemas do not grow without limit", () => {
  expect(JSON.stringify(bodyOf("large")).length).toBeLessThan(200_000);
});

test("a query with any names is an open object", () => {
  expect(tools.get("other")?.inputSchema.properties["query"]).toEqual({
    type: "object",
    properties: { a: { type: "string" } },
    additionalProperties: true,
  });
});

test("a route is not the tool of a model with the key of its tag", () => {
  expect([...tools.keys()]).toContain("routes_fetch");
  expect([...tools.keys()]).not.toContain("routes_count");
  expect(tools.get("routes_fetch")?.inputSchema.properties).toMatchObject({
    where: { properties: { word: {} } },
  });
});
