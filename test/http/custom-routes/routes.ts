import { Readable } from "node:stream";
import { defineRoute, ServiceError } from "#runtime/index";

/** What handlers were given, and what they do; each test sets its own. */
export const handlers: { seen: unknown[]; gives: () => unknown } = { seen: [], gives: () => null };

function note(input: unknown): unknown {
  handlers.seen.push(input);
  return handlers.gives();
}

const anything = {} as const;
const everybody = ["*"] as const;

/** Routes of each kind, as the files of an app have them. */
// biome-ignore format: one case a line
export const routes = [
  defineRoute({ method: "GET", path: "/open", access: everybody, answer: anything, handler: note }),
  defineRoute({ method: "GET", path: "/named", access: ["staff", "guest"], answer: anything, handler: note }),
  defineRoute({ method: "GET", path: "/inside", access: ["signed_in"], answer: anything, handler: note }),
  defineRoute({ method: "GET", path: "/staff", access: ["staff", "owner"], answer: anything, handler: note }),
  // Below the slug of a model.
  defineRoute({ method: "POST", path: "/things/:id/ring", access: everybody, answer: anything, handler: note }),
  defineRoute({ method: "GET", path: "/things/:id/ring", access: everybody, answer: anything, handler: note }),
  defineRoute({ method: "DELETE", path: "/only-delete", access: everybody, answer: anything, handler: note }),
  defineRoute({ method: "GET", path: "/typed/:id/:day", access: everybody,
      params: { type: "object", properties: { id: { type: "integer", minimum: 1 }, day: { type: "string", format: "date" } } },
      query: { type: "object",
        properties: { price: { type: "number" }, flag: { type: "boolean" }, at: { type: "string", format: "datetime" }, word: { type: "string" },
          ids: { type: "array", items: { type: "integer" } }, kind: { enum: [1, 2, "all"] },
          either: { anyOf: [{ type: "integer" }, { type: "string", format: "uuid" }] } } }, answer: anything, handler: note }),
  defineRoute({ method: "POST", path: "/sent", access: everybody,
      query: { type: "object", properties: { must: { type: "string" } }, required: ["must"] },
      body: { type: "object",
        properties: { name: { type: "string", minLength: 2 }, count: { type: "integer" },
          at: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
          free: { type: "object", additionalProperties: true } }, required: ["name"] }, answer: anything, handler: note }),
  defineRoute({ method: "POST", path: "/bytes", access: everybody, raw: true, answer: { type: "string" },
      handler: ({ body }) => Buffer.from(body).toString("hex") }),
  defineRoute({ method: "GET", path: "/headers", access: everybody, answer: { type: "array", items: { type: ["string", "null"] } },
      handler: ({ headers }) => [headers["x-signature"] ?? null, headers["constructor"] ?? null, String(Object.getPrototypeOf(headers))] }),
  defineRoute({ method: "GET", path: "/cut", access: everybody,
      answer: { type: "object",
        properties: { id: { type: "integer" }, lines: { type: "array", items: { type: "object", properties: { name: { type: "string" } } } } },
        required: ["id"] }, handler: () => ({ id: 1, secret: "x", lines: [{ name: "a", cost: 1 }], ...Object(handlers.gives()) }) }),
  defineRoute({ method: "GET", path: "/streamed", access: everybody, answer: { content_type: "text/csv" },
      handler: () => Readable.from(["é,", Buffer.from("1\r\n"), "x"]) }),
  defineRoute({ method: "POST", path: "/nothing", access: everybody, answer: { type: "null" }, handler() {} }),
  defineRoute({ method: "GET",
    path: "/context",
    access: everybody,
    answer: { type: "object", additionalProperties: true },
    handler(_, { principal, request_id, log }) {
      log.info("from the route");
      return { principal, request_id };
    },
  }),
  defineRoute({ method: "POST", path: "/full", access: everybody, answer: { type: "null" },
      handler() { throw new ServiceError("VALIDATION_ERROR", "Full.", { seats: 0 }); } }),
  defineRoute({ method: "GET", path: "/few", access: everybody, rate_limit: { max_requests: 2, window_seconds: 60, per: "user" },
      answer: anything, handler: note }),
  defineRoute({ method: "GET", path: "/many", access: everybody, rate_limit: { enabled: false }, answer: anything, handler: note }),
];
