import { afterEach, describe, expect, test } from "vitest";
import { type ErrorCode, ServiceError } from "#runtime/index";
import { monitoredService } from "../support/monitoring.ts";
import { recorded } from "../support/recorded.ts";
import { type Reply, requestOf } from "../support/request.ts";
import { type Scenario, scenarios } from "../support/scenarios.ts";
import { record, rows, run } from "../support/scenarios-hooked.ts";
import { testService } from "../support/service.ts";
import { service as served } from "./fixture/generated/index.ts";
import { type StagedHooks, stage } from "./fixture/stage.ts";

const service = await monitoredService();
const neighbour = await testService(
  {},
  { served: { ...served, errors: { SLOT_TAKEN: { status: 423, description: "Locked." } } } },
);

afterEach(() => {
  Object.assign(stage, { hooks: {}, fired: [] });
});

const throwing = (error: unknown) => (): never => {
  throw error;
};

/** Bypasses the type checker. */
function undeclared(code: unknown): ServiceError {
  return Reflect.construct(ServiceError, [code]);
}

const creating = (error: unknown, more: Partial<Scenario> = {}): Scenario =>
  run(
    "POST create",
    { data: record },
    { name: `${error}`, plays: { before_create: throwing(error) }, rows: { hooked: rows }, ...more },
  );

describe("a declared error is the answer, with its status and the description unless there is a message", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    creating(new ServiceError("SLOT_TAKEN"), { fails: "409 SLOT_TAKEN" }),
    creating(new ServiceError("TOO_LATE"), { fails: "410 TOO_LATE" }),
    creating(new ServiceError("SLOT_TAKEN", "Mine.", { field: "name", until: 7 }), { fails: "409 SLOT_TAKEN name", details: { until: 7 } }),
    creating(new ServiceError("SLOT_TAKEN", undefined, undefined, { status: 500 }), { name: "its status is declared", fails: "409 SLOT_TAKEN" }),
    run("PUT update", { where: { id: 1 }, data: { number: 7 } },
      { name: "from an after-hook, which undoes the write", plays: { after_update: throwing(new ServiceError("SLOT_TAKEN")) },
        fails: "409 SLOT_TAKEN", rows: { hooked: rows } }),
    run("GET fetch", undefined, { name: "from a read", plays: { before_fetch: throwing(new ServiceError("TOO_LATE")) }, fails: "410 TOO_LATE" }),
    { name: "from an account's hook", send: "POST /auth/register", body: { email: "a@example.org", password: "Passw0rd!-and-more" },
      plays: { before_register: throwing(new ServiceError("TOO_LATE")) }, fails: "410 TOO_LATE" },
  ]);

  test.each<[string, ServiceError, string]>([
    ["the description", new ServiceError("SLOT_TAKEN"), "Another user has this slot."],
    ["what was thrown", new ServiceError("SLOT_TAKEN", "Mine."), "Mine."],
  ])("the message is %s", async (_, error, message) => {
    stage.hooks = { before_create: throwing(error) };
    const { envelope } = await create(service);
    expect(envelope).toEqual({ statusCode: 409, status: "error", error: "SLOT_TAKEN", message, data: null });
  });
});

function create({ send }: Pick<typeof service, "send">, path = "/hooked/create"): Promise<Reply> {
  return send({ method: "POST", path, body: { data: record } }, "admin");
}

describe("every kind of response reports the app's error", () => {
  const failed = (index: number, message: string) => ({ index, error: "SLOT_TAKEN", message, field: "name" });
  scenarios(service, [
    run(
      "POST create",
      { data: ["a", "b"].map((name) => ({ name, code: "c" })) },
      {
        name: "in failed_records",
        plays: {
          before_create: ({ name }) => {
            if (name === "b") throw new ServiceError("SLOT_TAKEN", undefined, { field: "name" });
          },
        },
        data: expect.objectContaining({
          inserted_count: 1,
          failed_records: [failed(1, "Another user has this slot.")],
        }),
      },
    ),
  ]);

  test.each<[string, StagedHooks, string | undefined]>([
    ["of a root field", { before_fetch: throwing(new ServiceError("SLOT_TAKEN")) }, "hooked"],
    ["of the document", { before_graphql: throwing(new ServiceError("SLOT_TAKEN")) }, undefined],
  ])("in extensions of GraphQL, %s", async (_, hooks, path) => {
    stage.hooks = hooks;
    const reply = await service.send({
      ...requestOf("POST /graphql", { query: "{ hooked { id } }" }),
      headers: { accept: "application/graphql-response+json" },
    });
    expect(reply.status).toBe(409);
    expect(JSON.parse(reply.text)).toEqual({
      errors: [
        {
          message: "Another user has this slot.",
          ...(path !== undefined && { path: [path] }),
          extensions: { code: "SLOT_TAKEN", statusCode: 409 },
        },
      ],
    });
  });

  test("in the log and in monitoring", async () => {
    stage.hooks = { before_fetch: throwing(new ServiceError("SLOT_TAKEN")) };
    const { reply, trace } = await recorded(service, { method: "GET", path: "/hooked/fetch" });
    expect(trace.request).toMatchObject({ status: 409, error: "SLOT_TAKEN" });
    const id = reply.headers["x-request-id"];
    const line = service.log.findLast((entry) => entry["request_id"] === id);
    expect(line).toMatchObject({ status: 409, error: "SLOT_TAKEN" });
  });
});

test("two services of one process declare a code each, and may throw the very same error", async () => {
  stage.hooks = { before_fetch: throwing(new ServiceError("SLOT_TAKEN")) };
  const path = "/hooked/fetch";
  const replies = await Promise.all(
    [service, neighbour, service].map(({ send }) => send({ method: "GET", path })),
  );
  expect(replies.map(({ status, envelope }) => [status, envelope.message])).toEqual([
    [409, "Another user has this slot."],
    [423, "Locked."],
    [409, "Another user has this slot."],
  ]);
});

describe("an undeclared code returns 500, and the log names the code", () => {
  // biome-ignore format: one case a line
  test.each<[unknown, string]>([
    ["SLOT_TAKN", '"SLOT_TAKN" is not an error code of Kirak, and models/errors.json does not declare it; did you mean "SLOT_TAKEN"?'],
    ["not_found", '"not_found" is not an error code of Kirak, and models/errors.json does not declare it; did you mean "NOT_FOUND"?'],
    ["constructor", '"constructor" is not an error code of Kirak, and models/errors.json does not declare it'],
    ["__proto__", '"__proto__" is not an error'],
    [undefined, '"undefined" is not an error'],
    [Symbol("x"), '"Symbol(x)" is not an error'],
  ])("%s", async (code, told) => {
    stage.hooks = { before_fetch: throwing(undeclared(code)) };
    const reply = await service.send({ method: "GET", path: "/hooked/fetch" });
    expect([reply.status, reply.envelope.error]).toEqual([500, "INTERNAL_ERROR"]);
    expect(reply.text).not.toContain("errors.json");
    const line = service.log.findLast((entry) => entry["request_id"] === reply.headers["x-request-id"]);
    expect(line).toMatchObject({ err: { message: expect.stringContaining(told) } });
  });

  test("a code that only another service declares is undeclared here", async () => {
    stage.hooks = { before_fetch: throwing(new ServiceError("TOO_LATE")) };
    const { status } = await neighbour.send({ method: "GET", path: "/hooked/fetch" });
    expect(status).toBe(500);
  });
});

test("types know the codes of the contract and those of the app, and no others", () => {
  const known: ErrorCode[] = ["SLOT_TAKEN", "TOO_LATE", "NOT_FOUND"];
  // @ts-expect-error
  const unknown: ErrorCode = "SLOT_TAKN";
  expect(known).not.toContain(unknown);
});
