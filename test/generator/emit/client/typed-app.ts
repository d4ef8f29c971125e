import { readFileSync } from "node:fs";
import { expect } from "vitest";
import type { OpenApiDocument } from "#vocabulary/openapi/document";
import { project } from "../../support/project.ts";

const everything = {
  fetch: [{ role: "*" }],
  search: [{ role: "*" }],
  create: [{ role: "*" }],
  update: [{ role: "*" }],
};
const removal = { delete: [{ role: "*" }], destroy: [{ role: "*" }], restore: [{ role: "*" }] };

/** Models with a field of each kind, with gates, and with names that clients and TypeScript use themselves. */
// biome-ignore format: one field a line
const models = {
  things: {
    description: "Things of each kind. */ export const broken = 1; /*\nOn two lines, with \u2028 a separator and a `backtick`.",
    soft_delete: true,
    fields: {
      title: { type: "string", required: true, searchable: true, description: "*/ @ts-nocheck" },
      views: { type: "integer" },
      price: { type: "decimal", precision: 10, scale: 2, required: true },
      serial: { type: "bigint" },
      ratio: { type: "float" },
      flag: { type: "boolean", required: true },
      seen_at: { type: "datetime" },
      day: { type: "date" },
      opens: { type: "time" },
      email: { type: "email" },
      pin: { type: "password" },
      meta: { type: "json" },
      owner: { type: "uuid" },
      status: { type: "string", enum: ["draft", "live", "it's \"odd\" */ \\ `$`"], required: true },
      grade: { type: "integer", enum: [1, 2, -3] },
      tags: { type: "string[]", required: true },
      sizes: { type: "string[]", enum: ["small", "large"] },
      cost: { type: "decimal", precision: 10, scale: 2 },
    },
    access: { ...everything, ...removal, fields: { cost: { read: ["admin"], write: ["admin"] } } },
  },
  tokens: { id_type: "uuid", fields: { name: { type: "string" } }, access: { ...everything, ...removal } },
  logs: { fields: { line: { type: "text" } }, access: { fetch: [{ role: "*" }] } },
  drops: { fields: { line: { type: "text", required: true } }, access: { create: [{ role: "*" }] } },
  users: {
    fields: { nickname: { type: "string" }, points: { type: "integer" }, rank: { type: "integer", required: true, default: 1 } },
    access: { fields: { nickname: { write: ["self"] }, points: { read: ["self"] }, rank: { write: ["self", "admin"] } } },
  },
  // Types and properties of the client have these names.
  ...Object.fromEntries(
    ["routes", "session", "models", "promise", "record", "response", "error", "text_filter", "fetch_code", "class", "call"].map(
      (key) => [key, { fields: { constructor: { type: "string" }, to_string: { type: "string" }, new: { type: "integer" } }, access: everything }],
    ),
  ),
};

const manifest = {
  name: "typed",
  modules: ["storage"],
  auth: {
    social_providers: ["github", "apple-id"],
    social: { github: { client_id: "id" }, "apple-id": { client_id: "id", team_id: "team", key_id: "key" } },
  },
  docs: { title: "Typed */ app", version: "3.2.1" },
};

const http = new URL("../../../http/", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, http), "utf8");

/** The document of an app with all that a client can have. */
export async function typedDocument(): Promise<OpenApiDocument> {
  const app = project(models, manifest);
  app.write(
    "models/routes/described-routes.ts",
    read("custom-routes/described-routes.ts").replace("./shared-", "../shared/shared-"),
  );
  app.write("models/shared/shared-schemas.ts", read("custom-routes/shared-schemas.ts"));
  app.write("models/errors.json", JSON.parse(read("fixture/errors.json")));
  const { diagnostics } = await app.generate();
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return JSON.parse(app.read("generated/openapi.json"));
}
