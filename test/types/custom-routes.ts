/** What types demand of custom routes. */

import { Readable } from "node:stream";
import { z } from "zod";
import { defineJob, defineRoute } from "#runtime/index";

const slot = {
  type: "object",
  properties: { id: { type: "integer" }, starts_at: { type: "string" }, note: { type: "string" } },
  required: ["id", "starts_at"],
} as const;

const found = { id: 1, starts_at: "2026-01-31T10:00:00.000Z", hidden: true };

export const booking = defineRoute({
  method: "POST",
  path: "/slots/:id/book/:day",
  access: ["signed_in", "staff"],
  rate_limit: { max_requests: 5, window_seconds: 60, per: "user" },
  params: {
    type: "object",
    properties: { id: { type: "integer" }, day: { type: "string", format: "date" } },
  },
  query: { type: "object", properties: { dry: { type: "boolean" } } },
  body: {
    type: "object",
    properties: { name: { type: "string" }, seats: { type: "integer" } },
    required: ["name"],
  },
  answer: slot,
  async handler({ params, query, body }, { principal, log }) {
    params.id.toFixed();
    params.day.trim();
    body.name.trim();
    const dry: boolean | undefined = query.dry;
    log.info({ user: principal.user_id, dry }, "booked");
    // @ts-expect-error optional fields can be missing
    body.seats.toFixed();
    // @ts-expect-error fields that the schema does not name do not exist
    body.other;
    // @ts-expect-error nor in the query
    query.other;
    // @ts-expect-error nor in the path
    params.other;
    // @ts-expect-error of one type and not of the other
    params.id.trim();
    // Fields that the schema does not name are left out.
    return found;
  },
});

export const withoutSchemas = defineRoute({
  method: "GET",
  path: "/slots/:id/:part",
  access: ["*"],
  answer: { type: "null" },
  handler({ params, query, body }) {
    params.id.trim();
    params.part.trim();
    // @ts-expect-error the path has no such name
    params.other;
    // @ts-expect-error without a schema there are no parameters
    query.other;
    // @ts-expect-error nor a body
    body.other;
  },
});

export const raw = defineRoute({
  method: "POST",
  path: "/webhook",
  access: ["*"],
  raw: true,
  answer: { type: "object", properties: { length: { type: "integer" } }, required: ["length"] },
  handler: ({ body }) => ({ length: body.byteLength }),
});

const plain = { method: "GET", path: "/x", answer: slot } as const;

defineRoute({ ...plain, access: ["staff"], handler: () => found });
// @ts-expect-error no caller would have access
defineRoute({ ...plain, access: [], handler: () => found });
// @ts-expect-error a list, also of one
defineRoute({ ...plain, access: "staff", handler: () => found });
// @ts-expect-error roles are texts
defineRoute({ ...plain, access: [1], handler: () => found });
// @ts-expect-error `access` is required
defineRoute({ ...plain, handler: () => found });
// @ts-expect-error a method that no route has
defineRoute({ ...plain, method: "HEAD", access: ["*"], handler: () => found });
// @ts-expect-error a path begins with a slash
defineRoute({ ...plain, path: "x", access: ["*"], handler: () => found });
// @ts-expect-error a field of the response is missing
defineRoute({ ...plain, access: ["*"], handler: () => ({ id: 1 }) });
// @ts-expect-error a field of the response has another type
defineRoute({ ...plain, access: ["*"], handler: () => ({ id: "1", starts_at: "" }) });
// @ts-expect-error a moment is a text
defineRoute({ ...plain, access: ["*"], handler: async () => ({ id: 1, starts_at: new Date() }) });
// @ts-expect-error undefined is not a slot
defineRoute({ ...plain, access: ["*"], handler: () => {} });
// @ts-expect-error `answer` is required
defineRoute({ method: "GET", path: "/x", access: ["*"], handler: () => found });
// @ts-expect-error a limit has a window
defineRoute({ ...plain, access: ["*"], rate_limit: { max_requests: 1 }, handler: () => found });
// @ts-expect-error of one body there are bytes or an object
defineRoute({ ...plain, access: ["*"], raw: true, body: slot, handler: () => found });

// biome-ignore format: one case a line
const tree = { type: "object",
  properties: { id: { type: "integer" }, inner: { $ref: "#" }, others: { type: "array", items: { $ref: "#" } } },
  required: ["id"],
} as const;

/** A schema that refers to itself has a type, but for where it does. */
export const trees = defineRoute({
  method: "POST",
  path: "/trees",
  access: ["*"],
  body: tree,
  answer: tree,
  handler({ body }) {
    body.id.toFixed();
    // @ts-expect-error a field of the inner schema is unknown
    body.inner.id;
    return { id: 1, inner: { id: 2, inner: { id: 3 } }, others: [{ id: 4 }] };
  },
});
// @ts-expect-error the rest of the type is known
defineRoute({ ...plain, access: ["*"], answer: tree, handler: () => ({ inner: { id: 1 } }) });

/** Mistakes that no schema finds are reported at their place, before anything starts. */
const schemas = { ...plain, access: ["*"], handler: () => null } as const;
// @ts-expect-error no type
defineRoute({ ...schemas, answer: { type: "txt" } });
// @ts-expect-error no type, within
defineRoute({ ...schemas, answer: { anyOf: [{ type: "null" }, { items: { type: "txt" } }] } });
// @ts-expect-error no format
defineRoute({ ...schemas, answer: { type: ["string", "null"], format: "zip" } });
// @ts-expect-error no keyword
defineRoute({ ...schemas, answer: { typ: "null" } });
// @ts-expect-error no list
defineRoute({ ...schemas, answer: { type: ["object", "null"], required: "a" } });
// @ts-expect-error in the query as well
defineRoute({ ...schemas, answer: {}, query: { type: "object", properties: { a: { typ: "string" } } } });
defineRoute({ ...schemas, answer: { type: ["string", "null"], format: "date-time", maxLength: 30 } });

const csv = { ...plain, access: ["*"], answer: { content_type: "text/csv" } } as const;
defineRoute({ ...csv, handler: () => "a,b" });
defineRoute({ ...csv, handler: () => Buffer.from("a,b") });
defineRoute({ ...csv, handler: async () => Readable.from(["a,b"]) });
defineRoute({
  ...csv,
  handler(_, { download, status, redirect }) {
    download("a.csv");
    status(201);
    return redirect("/there", 303);
  },
});
// @ts-expect-error a row is not a text
defineRoute({ ...csv, handler: () => found });
// @ts-expect-error undefined is not a text
defineRoute({ ...csv, handler: () => {} });
// @ts-expect-error a content type is a text
defineRoute({ ...csv, answer: { content_type: 1 }, handler: () => "" });
// @ts-expect-error other statuses answer with a body
defineRoute({ ...csv, handler: (_, { redirect }) => redirect("/there", 301) });

defineRoute({ ...plain, access: ["*"], handler: (_, { redirect }) => redirect("https://pay.example") });
defineRoute({
  ...plain,
  access: ["*"],
  handler(_, context) {
    // @ts-expect-error JSON is answered with 200
    context.status(201);
    // @ts-expect-error JSON is not saved as a file
    context.download("a");
    return found;
  },
});

export const byLibrary = defineRoute({
  method: "POST",
  path: "/slots/:id",
  access: ["*"],
  params: z.object({ id: z.coerce.number() }),
  body: z.object({ name: z.string(), at: z.string().transform((text) => new Date(text)) }),
  answer: z.object({ at: z.date().transform((at) => at.getTime()) }),
  handler({ params, body }) {
    params.id.toFixed();
    // @ts-expect-error a schema of a library gives what it converts to
    body.at.trim();
    // The answer is what the schema takes.
    return { at: body.at };
  },
});

export const wrongAnswerOfLibrary = defineRoute({
  method: "GET",
  path: "/slots",
  access: ["*"],
  answer: z.object({ count: z.number() }),
  // @ts-expect-error the answer does not fit
  handler: () => ({ count: "1" }),
});

export const jobByLibrary = defineJob({
  payload: z.object({ day: z.coerce.date(), times: z.number().default(1) }),
  run({ day, times }) {
    day.getTime();
    times.toFixed();
    // @ts-expect-error the schema has no such key
    ({ day, times }).other;
  },
});
