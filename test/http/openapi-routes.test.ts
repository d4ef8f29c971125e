import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it, test } from "vitest";
import type { DocumentedOperation, OpenApiDocument } from "#vocabulary/openapi/document";
import { project } from "../generator/support/project.ts";
import { describedBy } from "../support/openapi.ts";
import { requestOf, type Sent } from "../support/request.ts";
import { testService } from "../support/service.ts";
import routes from "./custom-routes/described-routes.ts";
import { service as fixture } from "./fixture/generated/index.ts";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

async function documentOf(file: string): Promise<OpenApiDocument> {
  const { write, generate, read } = project({ notes: { fields: {}, access: { fetch: [{ role: "*" }] } } });
  write("models/routes/described.ts", file);
  write("models/errors.json", JSON.parse(errors));
  const { exitCode, diagnostics } = await generate();
  // The schemas that another file exports are not in this project.
  expect([exitCode, diagnostics.map(({ code }) => code)]).toEqual([0, ["route-not-run"]]);
  return JSON.parse(read("generated/openapi.json"));
}

const errors = read("./fixture/errors.json");
const document = await documentOf(read("./custom-routes/described-routes.ts"));
const expectDescribed = describedBy(document);
const service = await testService({ rateLimit: { enabled: true } }, { served: { ...fixture, routes } });
const lines = (body: object) => ({ lines: [], ...body });

function operation(line: string): DocumentedOperation {
  const [method = "", path = ""] = line.split(" ");
  const found = Object.entries(document.paths[path] ?? {}).find(([key]) => key === method.toLowerCase());
  if (found === undefined) throw new Error(`the document lacks ${line}`);
  return found[1];
}

// biome-ignore format: one case a line
test.each<[send: string, described: string, status: number, role?: string | null, body?: Sent["body"]]>([
  ["GET /plain/7", "/plain/{id}", 200],
  ["GET /plain/7?other=1", "/plain/{id}", 400],
  ["DELETE /plain/7", "/plain/{id}", 200],
  ["DELETE /plain/7", "/plain/{id}", 403, "user"],
  ["GET /typed/7/2026-01-01?flag=true&ids=1,2", "/typed/{id}/{day}", 200, "user"],
  ["GET /typed/7/2026-01-01?flag=true&ids=1&ids=2", "/typed/{id}/{day}", 400, "user"],
  ["GET /typed/0/2026-01-01?flag=true", "/typed/{id}/{day}", 400, "user"],
  ["GET /typed/7/2026-01-01", "/typed/{id}/{day}", 401],
  ["POST /typed/7/2026-01-01", "/typed/{id}/{day}", 403, "user"],
  ["POST /typed/7/2026-01-01", "/typed/{id}/{day}", 200, "staff"],
  ["POST /typed/7/2026-01-01", "/typed/{id}/{day}", 429, "staff"],
  ["POST /lines", "/lines", 200, null, { lines: [{ id: 1 }] }],
  ["POST /lines", "/lines", 400, null, {}],
  ["POST /lines", "/lines", 415, null, "a"],
  ["POST /lines", "/lines", 413, null, { lines: ["a".repeat(100_001)] }],
  ["PUT /imported?any=1", "/imported", 200, null, { seats: 2 }],
  ["POST /shared", "/shared", 200, null, { seats: 1 }],
  ["POST /shared", "/shared", 400, null, { other: 1 }],
  ["POST /bytes", "/bytes", 200, null, "abc"],
  ["POST /bytes", "/bytes", 413, null, "a".repeat(100_001)],
  ["GET /export.csv", "/export.csv", 200],
  ["GET /export.csv?empty=true", "/export.csv", 206],
  ["GET /export.csv?empty=maybe", "/export.csv", 400],
  ["GET /picture", "/picture", 200],
  ["POST /away", "/away", 303],
  ["POST /fails/slot", "/fails/{code}", 409],
])("%s, described as %s, is %i", async (send, path, status, role = null, body = undefined) => {
  const reply = await service.send(requestOf(send, body), role === null ? undefined : { role });
  expect(reply.status).toBe(status);
  expectDescribed(send.split(" ")[0] ?? "", path, reply);
});

describe("the body in the document", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false });
  ajv.addSchema(document, "document");
  const accepts = ajv.getSchema("document#/paths/~1lines/post/requestBody/content/application~1json/schema");

  // biome-ignore format: one case a line
  it.each([
    lines({}), {}, lines({ other: 1 }),
    { lines: [{ id: 1, quantity: 2, notes: ["a"] }] }, { lines: [{ id: 1, other: 2 }] }, { lines: [{ id: 0 }] }, { lines: [{ id: 1, notes: [1] }] },
    lines({ pair: ["a", 1] }), lines({ pair: [1, "a"] }), lines({ pair: ["a", 1, 2] }),
    lines({ next: lines({}) }), lines({ next: lines({ pair: [1] }) }), lines({ next: {} }),
    lines({ word: null }), lines({ word: 1 }), lines({ kind: "a" }), lines({ kind: "a", word: "b" }), lines({ kind: "c", word: "b" }),
  ])("accepts %j if the service does", async (body) => {
    const { status } = await service.send(requestOf("POST /lines", JSON.parse(JSON.stringify(body))));
    expect(accepts?.(body)).toBe(status === 200);
  });
});

describe("an operation", () => {
  it("has its declared name, or one of method and path, with a number if that is taken", () => {
    const names = Object.values(document.paths).flatMap((item) =>
      Object.values(item).flatMap(({ tags: [tag], operationId }) => (tag === "routes" ? [operationId] : [])),
    );
    expect(names).toMatchInlineSnapshot(`
      [
        "postAway",
        "postBytes",
        "getExportCsv",
        "postFailsByCode",
        "putImported",
        "postLines",
        "getPicture",
        "getPlainById",
        "getPlainById2",
        "dropPlain",
        "postShared",
        "getTypedByIdByDay",
        "postTypedByIdByDay",
      ]
    `);
  });

  it("has description, roles, limit and credentials of its route", () => {
    const dropped = operation("DELETE /plain/{id}");
    expect(dropped).toMatchObject({
      ...{ description: "Drops it.", summary: "DELETE /plain/:id" },
      security: [{}, { bearer: [] }, { apiKey: [] }],
      "x-kirak-access": [{ role: "guest" }, { role: "staff" }],
    });
    expect(dropped).not.toHaveProperty("x-kirak-limit");
    expect(operation("POST /typed/{id}/{day}")).toMatchObject({
      security: [{ bearer: [] }, { apiKey: [] }],
      "x-kirak-access": [{ role: "staff" }],
      "x-kirak-limit": { max_requests: 2, window_seconds: 60, per: "user" },
    });
  });

  it("has parameters of path and query, and lists as one text", () => {
    expect(operation("GET /typed/{id}/{day}").parameters).toMatchInlineSnapshot(`
      [
        {
          "in": "path",
          "name": "id",
          "required": true,
          "schema": {
            "minimum": 1,
            "type": "integer",
          },
        },
        {
          "in": "path",
          "name": "day",
          "required": true,
          "schema": {
            "format": "date",
            "type": "string",
          },
        },
        {
          "explode": false,
          "in": "query",
          "name": "ids",
          "schema": {
            "items": {
              "type": "integer",
            },
            "type": "array",
          },
          "style": "form",
        },
        {
          "in": "query",
          "name": "flag",
          "required": true,
          "schema": {
            "type": "boolean",
          },
        },
        {
          "in": "query",
          "name": "word",
          "schema": {
            "type": "string",
          },
        },
      ]
    `);
  });

  it("has `{}` for a schema that is not a literal", () => {
    const { parameters, requestBody, responses } = operation("PUT /imported");
    expect([parameters, requestBody, responses["200"]]).toMatchInlineSnapshot(`
      [
        [
          {
            "explode": true,
            "in": "query",
            "name": "query",
            "schema": {},
            "style": "form",
          },
        ],
        {
          "content": {
            "application/json": {
              "schema": {
                "additionalProperties": false,
                "properties": {
                  "seats": {},
                },
                "type": "object",
              },
            },
          },
          "required": true,
        },
        {
          "content": {
            "application/json": {
              "schema": {
                "allOf": [
                  {
                    "$ref": "#/components/schemas/Success",
                  },
                ],
                "properties": {
                  "data": {},
                },
                "required": [
                  "data",
                ],
              },
            },
          },
          "description": "The answer of the route.",
          "headers": {
            "X-RateLimit-Limit": {
              "$ref": "#/components/headers/X-RateLimit-Limit",
            },
            "X-RateLimit-Remaining": {
              "$ref": "#/components/headers/X-RateLimit-Remaining",
            },
            "X-RateLimit-Reset": {
              "$ref": "#/components/headers/X-RateLimit-Reset",
            },
            "X-Request-Id": {
              "$ref": "#/components/headers/X-Request-Id",
            },
          },
        },
      ]
    `);
  });

  it("lists errors of the app, any other error, and redirects", () => {
    expect(operation("POST /fails/{code}").responses).toMatchObject({
      "3XX": { $ref: "#/components/responses/Redirect" },
      409: { $ref: "#/components/responses/AppError409" },
      default: { $ref: "#/components/responses/AnyError" },
    });
  });

  it("has the content type of its answer", () => {
    const { responses } = operation("GET /export.csv");
    expect(responses["200"]).toHaveProperty("content", { "text/csv": { schema: { type: "string" } } });
    expect(responses["2XX"]).toEqual(responses["200"]);
  });
});
