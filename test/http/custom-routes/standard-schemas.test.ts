import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineRoute } from "#runtime/index";
import type { Json } from "#vocabulary/json";
import { requestOf } from "../../support/request.ts";
import { testService } from "../../support/service.ts";
import { service as fixture } from "../fixture/generated/index.ts";

let given: unknown;
let gives: object = {};
const access = ["*"] as const;
const method = "POST";

interface Input {
  readonly params: { readonly id: number };
  readonly query: { readonly page: number; readonly tags?: string[] | undefined };
  readonly body: { readonly name: string; readonly at: { readonly city: string } };
}

function handler({ params, query, body }: Input) {
  given = { params, query, body };
  return { id: params.id, name: body.name, secret: "x", ...gives };
}

/** One route by three libraries. */
const byLibraries = [
  defineRoute({
    ...{ method, access, handler },
    path: "/zod/:id",
    params: z.object({ id: z.number().int() }),
    query: z.object({ page: z.number().default(1), tags: z.array(z.string()).optional() }),
    body: z.object({ name: z.string().trim().min(2), at: z.object({ city: z.string() }) }),
    answer: z
      .object({ id: z.number(), name: z.string().meta({ example: "Ann" }) })
      .meta({ id: "Booked", example: { id: 1 } }),
  }),
  defineRoute({
    ...{ method, access, handler },
    path: "/valibot/:id",
    params: toStandardJsonSchema(v.object({ id: v.pipe(v.number(), v.integer()) })),
    query: toStandardJsonSchema(
      v.object({ page: v.optional(v.number(), 1), tags: v.optional(v.array(v.string())) }),
    ),
    body: toStandardJsonSchema(
      v.object({ name: v.pipe(v.string(), v.trim(), v.minLength(2)), at: v.object({ city: v.string() }) }),
    ),
    answer: toStandardJsonSchema(v.object({ id: v.number(), name: v.string() })),
  }),
  defineRoute({
    ...{ method, access, handler },
    path: "/arktype/:id",
    params: type({ id: "number.integer" }),
    query: type({ page: "number = 1", "tags?": "string[]" }),
    body: type({ name: type("string.trim").to("string >= 2"), at: { city: "string" } }),
    answer: type({ id: "number", name: "string" }),
  }),
];

const takesPromises = z.object({ name: z.string().refine(async (name) => name !== "taken") });

const routes = [
  ...byLibraries,
  defineRoute({
    method: "POST",
    path: "/later",
    access,
    body: takesPromises,
    answer: z.string(),
    handler: ({ body }) => body.name,
  }),
  defineRoute({
    method: "GET",
    path: "/coerced",
    access,
    query: z.object({ day: z.coerce.date(), word: z.string().transform((word) => word.length) }),
    answer: z.object({ day: z.iso.datetime(), letters: z.number() }),
    handler: ({ query }) => ({ day: query.day.toISOString(), letters: query.word }),
  }),
];

routes.push(
  defineRoute({
    method: "POST",
    path: "/failing",
    access,
    body: z.object({
      name: z.string().refine((name) => Promise.reject(new Error(`no database for ${name}`))),
    }),
    answer: z.string().optional(),
    handler() {},
  }),
  defineRoute({
    method: "GET",
    path: "/kinds",
    access,
    query: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("a"), text: z.string() }),
      z.object({ kind: z.literal("b"), other: z.string() }),
    ]),
    answer: z.union([z.object({ a: z.string() }), z.looseObject({ b: z.string() })]).optional(),
    handler: ({ query }) => (query.kind === "a" ? { a: query.text, secret: 1 } : undefined),
  }),
);

const service = await testService({}, { served: { ...fixture, routes } });
const ask = (line: string, body?: Json) =>
  service.send({ ...requestOf(line), ...(body !== undefined && { body }) });
const body = { name: " Ann ", at: { city: "Rome" } };

describe.each(["zod", "valibot", "arktype"])("schemas of %s", (library) => {
  test("convert what is sent, and texts of the path and the query by their JSON Schema", async () => {
    gives = {};
    const answer = await ask(`POST /${library}/7?tags=a,b`, body);
    expect(given).toEqual({
      params: { id: 7 },
      query: { page: 1, tags: ["a", "b"] },
      body: { name: "Ann", at: { city: "Rome" } },
    });
    expect(answer).toMatchObject({ status: 200, envelope: { data: { id: 7, name: "Ann" } } });
    expect(answer.envelope.data).not.toHaveProperty("secret");
  });

  test.each([
    ["/7", { ...body, at: { city: 1 } }, "at.city"],
    ["/7", { at: body.at }, "name"],
    ["/7", { ...body, name: " A " }, "name"],
    ["/x", body, "id"],
    ["/7?page=x", body, "page"],
  ])("refuse %s with %j, and name %s", async (path, sent, field) => {
    const { status, envelope } = await ask(`POST /${library}${path}`, sent);
    expect([status, envelope.error, envelope.details]).toEqual([
      400,
      "VALIDATION_ERROR",
      expect.objectContaining({ field }),
    ]);
  });

  test("an answer that does not fit is 500", async () => {
    gives = { name: 1 };
    expect(await ask(`POST /${library}/7`, body)).toMatchObject({ status: 500 });
  });
});

test.each([
  ["POST /later", { name: "free" }, { status: 200, envelope: { data: "free" } }],
  ["POST /later", { name: "taken" }, { status: 400, envelope: { details: { field: "name" } } }],
  ["GET /coerced?day=2026-01-31&word=abc", undefined, { status: 200, envelope: { data: { letters: 3 } } }],
])("%s with %j: asynchronous checks and conversions", async (line, sent, expected) => {
  expect(await ask(line, sent)).toMatchObject(expected);
});

test("a check that fails is 500, and the service goes on", async () => {
  expect(await ask("POST /failing", { name: "Ann" })).toMatchObject({ status: 500 });
  expect(await ask("GET /kinds?kind=a&text=x")).toMatchObject({
    status: 200,
    envelope: { data: { a: "x" } },
  });
});

test.each([
  ["GET /kinds?kind=a&text=x", { a: "x" }],
  ["GET /kinds?kind=b&other=x", null],
])("%s answers %j", async (line, data) => {
  expect((await ask(line)).envelope.data).toEqual(data);
});
