import { Readable } from "node:stream";
import { defineRoute, ServiceError } from "#runtime/index";
import { minimum, seats } from "./shared-schemas.ts";

const id = { type: "integer", minimum: 1 } as const;
const base = { id, day: { type: "string", format: "date" } } as const;
const line = {
  type: "object",
  properties: {
    id,
    quantity: { type: "integer", minimum: 1 },
    notes: { type: "array", items: { $ref: "#/definitions/note" } },
  },
  required: ["id"],
} as const;
const params = { type: "object", properties: { ...base } } as const;
const imported = { type: "object", properties: { seats: { type: "integer", minimum } } } as const;

/** Routes of each kind, which the generator reads. Each handler answers what the request holds. */
// biome-ignore format: one case a line
export default [
  defineRoute({ method: "GET", path: "/plain/:id", access: ["*"], answer: { type: "string" }, handler: ({ params }) => params.id }),
  defineRoute({ method: "DELETE", path: "/plain/:id", name: "dropPlain", description: "Drops it.", access: ["staff", "guest"],
      rate_limit: { enabled: false }, answer: { type: "null" }, handler() {} }),
  defineRoute({ method: "GET", path: "/typed/:id/:day", access: ["signed_in"], params,
      query: { type: "object",
        properties: { ids: { type: "array", items: { type: "integer" } }, flag: { type: "boolean" }, word: { type: "string", pattern: "^(?i)a" } }, required: ["flag"] },
      answer: { type: "object", properties: { ...base, ids: { type: "array", items: id }, sent_at: { type: "string", format: "datetime" } }, required: ["id"], additionalProperties: false },
      handler: ({ params, query }) => ({ ...params, ids: query.ids ?? [], sent_at: new Date().toISOString() }) }),
  defineRoute({ method: "POST", path: "/typed/:id/:day", access: ["staff"], rate_limit: { max_requests: 2, window_seconds: 60, per: "user" },
      params, answer: {}, handler: () => ({ any: [null] }) }),
  defineRoute({ method: "POST", path: "/lines", access: ["*"],
      body: { type: "object",
        properties: { lines: { type: "array", items: { $ref: "#/definitions/line" } }, pair: { type: "array", items: [{ type: "string" }, id], additionalItems: false },
          next: { $ref: "#" }, word: { type: "string", nullable: true }, kind: { enum: ["a", "b"] } },
        dependencies: { kind: ["word"] }, required: ["lines"], definitions: { line, note: { type: "string" } } },
      answer: { $ref: "#/$defs/count", $defs: { count: { type: "object", properties: { count: { type: "integer" } }, required: ["count"] } } },
      handler: ({ body }) => ({ count: Object(body).lines.length, other: true }) }),
  defineRoute({ method: "PUT", path: "/imported", access: ["*"], query: { type: "object", additionalProperties: { type: "string" } }, body: imported,
      answer: { anyOf: [{ type: "object", properties: { seats: { type: "integer", minimum } } }, { type: "null" }] }, handler: ({ body }) => body }),
  defineRoute({ method: "POST", path: "/shared", access: ["*"], body: seats, answer: true, handler: () => null }),
  defineRoute({ method: "POST", path: "/bytes", access: ["*"], raw: true, answer: { type: "integer" }, handler: ({ body }) => body.length }),
  defineRoute({ method: "GET", path: "/export.csv", access: ["*"], query: { type: "object", properties: { empty: { type: "boolean" } } }, answer: { content_type: "text/csv; header=present" },
      handler({ query }, { status }) { if (query.empty) status(206); return Readable.from(["a,b"]); } }),
  defineRoute({ method: "GET", path: "/picture", access: ["*"], answer: { content_type: "image/png" }, handler: () => Buffer.from([1]) }),
  defineRoute({ method: "POST", path: "/away", access: ["*"], answer: { type: "null" }, handler: (_, { redirect }) => redirect("/thanks", 303) }),
  defineRoute({ method: "POST", path: "/fails/:code", access: ["*"], answer: { type: "null" },
      handler({ params }): never { throw new ServiceError(params.code === "slot" ? "SLOT_TAKEN" : "PERMISSION_DENIED"); } }),
  defineRoute({ method: "GET", path: "/plain-/:id", access: ["*"], answer: { type: "string" }, handler: ({ params }) => params.id }),
];
