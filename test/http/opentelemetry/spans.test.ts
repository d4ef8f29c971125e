import http from "node:http";
import { propagation, SpanKind, trace } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import express from "express";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createServer, defineRoute, type Service, ServiceError } from "#runtime/index";
import { account, accounts, password } from "../../support/accounts.ts";
import { eventually } from "../../support/eventually.ts";
import { mailing } from "../../support/links.ts";
import { listening } from "../../support/listening.ts";
import { monitoredService } from "../../support/monitoring.ts";
import { serviceQueue } from "../../support/queue.ts";
import { requestOf, type Sent, sendRequest } from "../../support/request.ts";
import { record, rows } from "../../support/scenarios-hooked.ts";
import { testService } from "../../support/service.ts";
import { silent } from "../../support/silent-log.ts";
import { testSms } from "../../support/sms.ts";
import { testSmtp } from "../../support/smtp.ts";
import { recordSpans } from "../../support/spans.ts";
import { service as fixture } from "../fixture/generated/index.ts";
import { stage } from "../fixture/stage.ts";

const spans = recordSpans();
const [smtp, sms] = [await testSmtp(), await testSms()];
let handle: () => unknown = () => null;
const described = { answer: {}, access: ["*"] } as const;
const served: Service = {
  ...fixture,
  routes: [
    ...fixture.routes,
    defineRoute({ method: "GET", path: "/handled/:token", ...described, handler: () => handle() }),
  ],
};
const service = await testService({ ...mailing(smtp), sms: sms.settings }, { served });
const queue = await serviceQueue(served, service);

const traceId = "0af7651916cd43dd8448eb211c80319c";
const traceparent = `00-${traceId}-b7ad6b7169203331-01`;

beforeEach(async () => {
  await service.store({ hooked: rows });
  await queue.empty();
  Object.assign(stage, { hooks: {}, fired: [] });
  service.log.length = 0;
  spans.reset();
});
afterEach(() => {
  handle = () => null;
});

const send = (line: string, body?: Sent["body"], headers: Sent["headers"] = {}) =>
  service.send({ ...requestOf(line, body), headers }, "admin");
const everything = () =>
  JSON.stringify(spans.all().map(({ name, attributes, events }) => [name, attributes, events]));

test("a create: the request, its hooks and its statements, below the span of the caller", async () => {
  stage.hooks.after_create = async (_, { db, sql }) => {
    await db.hooked.count();
    await sql`select ${1}::int as one`;
  };
  const headers = { traceparent, "user-agent": "tests", "x-request-id": "r-1" };
  expect((await send("POST /hooked/create", { data: record }, headers)).status).toBe(200);
  expect(spans.tree()).toMatchInlineSnapshot(`
    "SERVER POST /hooked/create
      INTERNAL hook:before_create
      CLIENT INSERT hooked
      INTERNAL hook:after_create
        CLIENT SELECT hooked
        CLIENT SELECT"
  `);
  const span = spans.one("POST /hooked/create");
  expect(span.parentSpanContext).toMatchObject({ traceId, spanId: "b7ad6b7169203331", isRemote: true });
  expect(span.attributes).toStrictEqual({
    "http.request.method": "POST",
    "http.response.status_code": 200,
    "http.route": "/hooked/create",
    "kirak.request_id": "r-1",
    "url.path": "/hooked/create",
    "url.scheme": "http",
    "user_agent.original": "tests",
    "client.address": "127.0.0.1",
  });
  expect(spans.all().find(({ name }) => name === "INSERT hooked")?.attributes).toMatchInlineSnapshot(`
    {
      "db.query.summary": "INSERT hooked",
      "db.query.text": "insert into "hooked" as t ("name", "number", "code", "moment", "guarded") values ($1::text, $2::integer, $3::text, $4::timestamptz, $5::text) returning "t"."id", "t"."name", "t"."number", "t"."code", "t"."moment", "t"."guarded", "t"."created_at", "t"."updated_at", "t"."deleted_at"",
      "db.system.name": "postgresql",
    }
  `);
  expect(service.log).toMatchObject([
    { request_id: "r-1", trace_id: traceId, span_id: span.spanContext().spanId },
  ]);
});

test("a statement of a hook of the accounts is one span", async () => {
  await service.store(accounts([account(1)]));
  stage.hooks.after_login = async (result, { sql }) => {
    await sql`select ${1}::int as one`;
    return result;
  };
  const login = { email: "user1@example.com", password };
  const reply = await service.send(requestOf("POST /auth/login", login));
  expect(reply.status, JSON.stringify(service.log)).toBe(200);
  expect(spans.all().filter(({ name }) => name === "SELECT")).toHaveLength(1);
});

test("a GraphQL query", async () => {
  expect((await send("POST /graphql", { query: "{ hooked { id } }" })).status).toBe(200);
  expect(spans.tree()).toMatchInlineSnapshot(`
    "SERVER POST /graphql
      INTERNAL hook:before_graphql
      INTERNAL hook:before_fetch
      CLIENT SELECT hooked
      INTERNAL hook:after_fetch
      INTERNAL hook:after_graphql"
  `);
});

test("a mail and a text message: their jobs and messages continue the trace", async () => {
  stage.hooks.after_create = async (_, { mail, sms }) => {
    await mail.send({ to: "ann@example.org", subject: "Hi", text: "Hello" });
    await sms.send({ to: "+12025550123", text: "Hello" });
  };
  await send("POST /hooked/create", { data: record }, { traceparent });
  await queue.work();
  expect(spans.tree()).toMatchInlineSnapshot(`
    "SERVER POST /hooked/create
      INTERNAL hook:before_create
      CLIENT INSERT hooked
      INTERNAL hook:after_create
        PRODUCER send kirak:mail
          CONSUMER process kirak:mail
        PRODUCER send kirak:sms
          CONSUMER process kirak:sms"
  `);
  expect(new Set(spans.all().map((span) => span.spanContext().traceId))).toEqual(new Set([traceId]));
  const processed = spans.one("process kirak:mail");
  expect(processed.attributes).toStrictEqual({
    "messaging.system": "kirak",
    "messaging.destination.name": "kirak:mail",
    "messaging.operation.name": "process",
    "messaging.operation.type": "process",
    "messaging.message.id": expect.stringMatching(/^\d+$/),
    "kirak.job.attempt": 1,
  });
  const passedOn = (name: string) => `00-${traceId}-${spans.one(name).spanContext().spanId}-01`;
  const { raw } = await smtp.next("ann@example.org");
  expect(raw).toMatch(new RegExp(`^traceparent: ${passedOn("process kirak:mail")}\r$`, "im"));
  expect(sms.headers.at(-1)).toMatchObject({ traceparent: passedOn("process kirak:sms") });
  const job = service.log.find((line) => line["msg"] === "job" && line["job"] === "kirak:mail");
  expect(job).toMatchObject({ trace_id: traceId, span_id: processed.spanContext().spanId });
});

test("code of the app: spans that it makes are below its own, and it passes on the span that runs", async () => {
  const seen: unknown[] = [];
  stage.hooks.before_create = async (_, context) => {
    seen.push(context.traceparent?.split("-")[2]);
    context.log.info("in the hook");
    await trace.getTracer("app").startActiveSpan("of the app", async (span) => {
      await context.sql`select 1 from hooked`;
      span.end();
    });
    context.afterCommit(async ({ jobs, traceparent }) => {
      seen.push(traceparent?.split("-")[2]);
      await jobs.enqueue("send-later", { text: "x" });
    });
  };
  await send("POST /hooked/create", { data: record });
  await service.settled();
  await queue.work();
  expect(spans.tree()).toMatchInlineSnapshot(`
    "SERVER POST /hooked/create
      INTERNAL hook:before_create
        INTERNAL of the app
          CLIENT SELECT hooked
      CLIENT INSERT hooked
      INTERNAL hook:after_create
      INTERNAL hook:afterCommit
        PRODUCER send send-later
          CONSUMER process send-later"
  `);
  const idOf = (name: string) => spans.one(name).spanContext().spanId;
  expect(seen).toEqual([idOf("hook:before_create"), idOf("hook:afterCommit")]);
  const ids = service.log.filter(
    ({ trace_id }) => trace_id === spans.one("of the app").spanContext().traceId,
  );
  expect(ids.map(({ msg }) => msg)).toEqual(["in the hook", "request", "a job of the fixture", "job"]);
});

test("a run of a job without a trace begins one", async () => {
  stage.hooks.after_create = async (_, { jobs }) => void (await jobs.enqueue("send-later", { text: "x" }));
  await send("POST /hooked/create", { data: record }, { traceparent });
  await service.query("update kirak_jobs.jobs set traceparent = null");
  await queue.work();
  const run = spans.one("process send-later");
  expect(run.parentSpanContext).toBeUndefined();
  expect(run.spanContext().traceId).not.toBe(traceId);
});

describe("failures", () => {
  test("a hook that throws: 500, without its message's secrets", async () => {
    stage.hooks.before_create = () => {
      throw new TypeError("no mail for ann@example.org, password=hunter2");
    };
    expect((await send("POST /hooked/create", { data: record })).status).toBe(500);
    expect(spans.tree()).toMatchInlineSnapshot(`
      "SERVER POST /hooked/create ERROR TypeError
        INTERNAL hook:before_create ERROR TypeError"
    `);
    expect(spans.one("POST /hooked/create").events).toEqual([]);
    expect(everything()).not.toMatch(/hunter2|ann@/);
  });

  test("an error for the caller is no error of the request", async () => {
    handle = () => {
      throw new ServiceError("PERMISSION_DENIED");
    };
    expect((await send("GET /handled/secret-token")).status).toBe(403);
    expect(spans.tree()).toMatchInlineSnapshot(`
      "SERVER GET /handled/:token
        INTERNAL handler ERROR PERMISSION_DENIED"
    `);
    expect(spans.one("GET /handled/:token").attributes["url.path"]).toBe("/handled/:token");
    expect(everything()).not.toMatch(/secret-token/);
  });

  test("a statement that fails has the code of PostgreSQL", async () => {
    stage.hooks.before_create = async (_, { sql }) => {
      await sql`select ${"secret-value"}::int`;
    };
    expect((await send("POST /hooked/create", { data: record })).status).toBe(500);
    expect(spans.tree()).toContain("CLIENT SELECT ERROR 22P02");
  });

  test("a job that fails", async () => {
    stage.hooks.after_create = async (_, { jobs }) => void (await jobs.enqueue("send-later", { text: "x" }));
    await send("POST /hooked/create", { data: record });
    await service.query(`update kirak_jobs.jobs set payload = '{"text": 7}'`);
    await queue.work();
    expect(spans.one("process send-later").status.code).toBe(2);
    expect(spans.one("process send-later").attributes["error.type"]).toBe("FinalFailure");
  });

  test("unknown paths and methods are as in the log, and probes have no span", async () => {
    await send("GET /nothing/a-secret-that-is-much-longer-than-a-name-of-a-route");
    await send("GET /healthz");
    expect(spans.all().map(({ name, attributes }) => [name, attributes["url.path"]])).toEqual([
      ["GET", "/nothing/*"],
    ]);
  });
});

test("values of a caller are in no span", async () => {
  const secret = "a-secret-value";
  await send(`GET /hooked/fetch?name=${secret}&select_fields=id`);
  await send("POST /hooked/create", { data: { ...record, name: secret } });
  await send("PUT /hooked/update", { where: { name: secret }, data: { code: secret } });
  await send("POST /graphql", { query: `{ hooked(where: { name: { eq: "${secret}" } }) { id } }` });
  await send(`GET /hooked/fetch?name=${secret}&number=${secret}`);
  expect(spans.all().length).toBeGreaterThan(8);
  expect(everything()).not.toContain(secret);
});

test("requests at the same time do not mix", async () => {
  stage.hooks.before_create = async (value, { sql, traceparent }) => {
    await sql`select pg_sleep(0.01)`;
    return { ...value, code: `${traceparent?.split("-")[1]?.slice(0, 6)}` };
  };
  const ids = Array.from({ length: 20 }, (_, index) => String(index + 1).padStart(32, "0"));
  await Promise.all(
    ids.map((id, index) =>
      send(
        "POST /hooked/create",
        { data: { ...record, name: `n${index}` } },
        { traceparent: `00-${id}-b7ad6b7169203331-01` },
      ),
    ),
  );
  const shapes = ids.map((id) =>
    spans
      .all()
      .filter((span) => span.spanContext().traceId === id)
      .map(({ name }) => name),
  );
  expect(shapes[0]).toContain("hook:before_create");
  for (const shape of shapes) expect(shape).toEqual(shapes[0]);
});

test("below the span of an instrumentation of node:http, the span of a request is INTERNAL", async () => {
  handle = () => trace.getTracer("app").startSpan("below the handler").end();
  const { config, pool: database } = service;
  const app = createServer(served, { config, database, log: silent });
  const server = http.createServer((request, response) =>
    trace.getTracer("http").startActiveSpan("GET", { kind: SpanKind.SERVER }, (span) => {
      response.on("close", () => span.end());
      app(request, response);
    }),
  );
  const { status } = await sendRequest(await listening(server), requestOf("GET /handled/1"));
  expect(status).toBe(200);
  await eventually(() =>
    expect(spans.tree()).toBe(
      "SERVER GET\n  INTERNAL GET /handled/:token\n    INTERNAL handler\n      INTERNAL below the handler",
    ),
  );
});

test("below a path of a program: its spans do not contain the path", async () => {
  const { config, pool: database } = service;
  const program = express().use("/tenants/:id", createServer(served, { config, database, log: silent }));
  const origin = await listening(http.createServer(program));
  for (const path of ["/handled/1", "/nowhere", "/healthz"])
    await sendRequest(origin, requestOf(`GET /tenants/4711${path}`));
  const expected = "SERVER GET /handled/:token\n  INTERNAL handler\nSERVER GET";
  await eventually(() => expect(spans.tree()).toBe(expected));
  expect(everything()).not.toContain("4711");
});

test("texts in a statement are no names of tables", async () => {
  stage.hooks.after_create = async (_, { sql }) => void (await sql`select 'mail from ann.example' as text`);
  expect((await send("POST /hooked/create", { data: record })).status).toBe(200);
  expect(spans.tree()).toMatch(/CLIENT SELECT$/m);
});

test("a sampler that drops a request: no span, and the trace is passed on as not sampled", async () => {
  onTestFinished(() => {
    spans.isSampled = true;
  });
  spans.isSampled = false;
  const seen: unknown[] = [];
  handle = () => seen.push("handled");
  stage.hooks.before_create = (_, context) => void seen.push(context.traceparent);
  for (const headers of [{ traceparent }, {}]) await send("POST /hooked/create", { data: record }, headers);
  expect(spans.all()).toEqual([]);
  expect(seen).toEqual([
    expect.stringMatching(new RegExp(`^00-${traceId}-(?!b7ad)[0-9a-f]{16}-00$`)),
    expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/),
  ]);
  const [first, second] = service.log.map(({ trace_id }) => trace_id);
  expect([first, second === first]).toEqual([traceId, false]);
});

test("monitoring keeps the same steps", async () => {
  const monitored = await monitoredService();
  await serviceQueue(fixture, monitored);
  stage.hooks.after_create = async (_, { jobs }) => void (await jobs.enqueue("send-later", { text: "x" }));
  const headers = { "x-request-id": "r-1" };
  await monitored.send({ ...requestOf("POST /hooked/create", { data: record }), headers }, "admin");
  await monitored.written(1);
  const { envelope } = await monitored.ask("GET /trace/r-1");
  const { steps } = Object(envelope.data);
  expect(steps.map(({ name }: { name: string }) => name)).toMatchInlineSnapshot(`
    [
      "auth",
      "validate",
      "hook:before_create",
      "sql",
      "hook:after_create",
      "send send-later",
      "serialize",
    ]
  `);
  expect(spans.tree()).toContain("INTERNAL hook:before_create");
});

test("the propagator of the app decides about the parent", async () => {
  onTestFinished(() => void propagation.setGlobalPropagator(new W3CTraceContextPropagator()));
  propagation.disable();
  await send("GET /hooked/count", undefined, { traceparent });
  expect(spans.one("GET /hooked/count").parentSpanContext).toBeUndefined();
});
