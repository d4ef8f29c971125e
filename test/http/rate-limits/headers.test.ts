import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ServiceError } from "#runtime/index";
import { PasswordQueue } from "#runtime/modules/auth/index";
import { defineLimits } from "#runtime/modules/rate-limit/index";
import {
  countingInPostgres,
  type LimitedService,
  limit,
  limitedServices,
} from "../../support/limited-service.ts";
import { type Reply, requestOf, type Sent } from "../../support/request.ts";
import { expectEnvelope, outcome } from "../../support/scenarios.ts";
import type { Caller } from "../../support/service-token.ts";
import { type StagedHooks, stage } from "../fixture/stage.ts";

const services = await limitedServices(
  { cors: { origins: ["*"], allowOriginRegex: null } },
  { things: defineLimits({ count: { maxRequests: 1, windowSeconds: 90, per: "ip" } }) },
);

/** The three headers: limit, remaining, reset. */
const quotaOf = ({ headers }: Reply) =>
  ["limit", "remaining", "reset"].map((name) => Number(headers[`x-ratelimit-${name}`]));

const throwing = (error: Error) => (): never => {
  throw error;
};

/** One millisecond, in seconds. */
const ms = 0.001;

describe.each(services)("$counters", (service) => {
  const { clock, forget } = service;
  const send = (line: string, as: Caller = null, rest: Partial<Sent> = {}) => {
    return service.send({ ...requestOf(line), ...rest }, as);
  };
  const fetch = () => send("GET /things/fetch");
  /** The end of a window that begins now, as the header has it. */
  const endOf = (seconds: number) => Math.ceil(clock.now() / 1000 + seconds);

  beforeEach(async () => {
    await service.store({});
    await forget();
    // The next second begins: what is rounded is seen.
    clock.pass((1000 - (clock.now() % 1000)) / 1000);
  });

  afterEach(() => {
    vi.restoreAllMocks();
    Object.assign(stage, { hooks: {}, fired: [] });
  });

  test("count down to 0, and say when the window ends", async () => {
    const reset = endOf(60);
    for (const remaining of [2, 1, 0]) {
      const reply = await fetch();
      expect(reply.status).toBe(200);
      expect(quotaOf(reply)).toEqual([3, remaining, reset]);
      expect(reply.headers).not.toHaveProperty("retry-after");
      clock.pass(1);
    }
    const refused = await fetch();
    expect(refused.status).toBe(429);
    expect(quotaOf(refused)).toEqual([3, 0, reset]);
  });

  test("the end of a window is rounded up to a full second", async () => {
    clock.pass(ms);
    expect(quotaOf(await fetch())).toEqual([3, 2, Math.floor(clock.now() / 1000) + 61]);
  });

  test.each<[string, string, Caller, Sent["body"]?]>([
    ["400 VALIDATION_ERROR nothing", "GET /things/fetch?nothing=1", null],
    ["400 VALIDATION_ERROR limit", "GET /things/fetch?limit=x", null],
    ["400 VALIDATION_ERROR", "GET /things/fetch?string=%zz", null],
    ["400 VALIDATION_ERROR", "GET /things/fetch?string=%00", null],
    ["400 VALIDATION_ERROR", "POST /things/create", "admin", "{"],
    ["413 HTTP_ERROR", "POST /things/create", "admin", Buffer.alloc(200_000, " ")],
    ["403 PERMISSION_DENIED", "POST /things/create", null, { data: {} }],
    ["404 NOT_FOUND", "DELETE /things/delete?id=1", "admin"],
    ["200", "POST /things/create", "admin", { data: { string: "a" } }],
    ["200", "GET /things/search?search_term=a", null],
    ["200", "HEAD /things/fetch", null],
  ])("stand on an answer of %s to %s", async (answers, line, as, body) => {
    const reply = await send(line, as, {
      body,
      ...(body !== undefined && { headers: { "content-type": "application/json" } }),
    });
    if (line.startsWith("HEAD")) expect(reply.status).toBe(200);
    else expect(outcome(reply)).toBe(answers);
    expect(quotaOf(reply)).toEqual([3, 2, endOf(60)]);
  });

  test("stand on 415", async () => {
    const reply = await send("POST /things/create", "admin", {
      body: "{}",
      headers: { "content-type": "text/plain" },
    });
    expect(outcome(reply)).toBe("415 HTTP_ERROR");
    expect(quotaOf(reply)).toEqual([3, 2, endOf(60)]);
  });

  test.each<[string, keyof StagedHooks, Error]>([
    ["409 EMAIL_ALREADY_EXISTS", "before_create", new ServiceError("EMAIL_ALREADY_EXISTS")],
    ["500 INTERNAL_ERROR", "before_create", new Error("it fails")],
    ["500 INTERNAL_ERROR", "after_create", new Error("it fails")],
  ])("stand on %s of %s", async (answers, hook, error) => {
    Object.assign(stage.hooks, { [hook]: throwing(error) });
    const body = { data: { name: "a", code: "c" } };
    const reply = await send("POST /hooked/create", "admin", { body });
    expect(outcome(reply)).toBe(answers);
    expect(quotaOf(reply)).toEqual([3, 2, endOf(60)]);
  });

  test("stand on 503 where too many passwords wait, and on an error of the database", async () => {
    const busy = new ServiceError("HTTP_ERROR", "Busy.", undefined, { status: 503 });
    vi.spyOn(PasswordQueue.prototype, "hash").mockRejectedValueOnce(busy);
    const create = () => send("POST /things/create", "admin", { body: { data: { password: "secret" } } });
    const waiting = await create();
    expect(outcome(waiting)).toBe("503 HTTP_ERROR");
    expect(quotaOf(waiting)).toEqual([3, 2, endOf(60)]);
    await service.query("ALTER TABLE things RENAME TO gone");
    try {
      const broken = await create();
      expect(outcome(broken)).toBe("500 DATABASE_ERROR");
      expect(quotaOf(broken)).toEqual([3, 1, endOf(60)]);
    } finally {
      await service.query("ALTER TABLE gone RENAME TO things");
    }
  });

  test.each([
    ["404 NOT_FOUND", "GET /things/nothing"],
    ["404 NOT_FOUND", "GET /vaults/fetch"],
    ["405 HTTP_ERROR", "POST /things/fetch"],
    ["200", "GET /healthz"],
  ])("do not stand on an answer of %s to %s", async (answers, line) => {
    const { headers, status } = await send(line);
    expect(status).toBe(Number(answers.slice(0, 3)));
    expect(Object.keys(headers).filter((header) => header.startsWith("x-ratelimit"))).toEqual([]);
  });

  test("429 has the error in the envelope, and when to retry", async () => {
    for (let times = 0; times < 3; times++) await fetch();
    const reply = await fetch();
    expect(outcome(reply)).toBe("429 RATE_LIMIT_EXCEEDED");
    expectEnvelope(reply);
    expect(reply.envelope.message).toMatch(/^Too many requests\. Try again in 60 seconds\./);
    expect(reply.envelope).not.toHaveProperty("details");
    expect(reply.headers["retry-after"]).toBe("60");
    expect(quotaOf(reply)).toEqual([3, 0, endOf(60)]);
  });

  test("Retry-After is until the window ends, in full seconds", async () => {
    await send("GET /things/count");
    const waits: [seconds: number, retryAfter: string][] = [
      [0, "90"],
      [ms, "90"],
      [1 - 2 * ms, "90"],
      [ms, "89"],
      [ms, "89"],
      [88 - ms - ms, "2"],
      [ms, "1"],
      [ms, "1"],
      [1 - 2 * ms, "1"],
    ];
    for (const [seconds, retryAfter] of waits) {
      clock.pass(seconds);
      const reply = await send("GET /things/count");
      expect([reply.status, reply.headers["retry-after"]], String(seconds)).toEqual([429, retryAfter]);
      expect(reply.envelope.message).toContain(retryAfter === "1" ? " 1 second." : ` ${retryAfter} seconds.`);
    }
    clock.pass(ms);
    expect((await send("GET /things/count")).status).toBe(200);
  });

  test("pages of other origins may read them; asking for permission counts nothing", async () => {
    const preflight = {
      origin: "https://app.example.org",
      "access-control-request-method": "GET",
      "access-control-request-headers": "authorization",
    };
    for (let times = 0; times < 5; times++) {
      const reply = await send("OPTIONS /things/fetch", null, { headers: preflight });
      expect(reply.status).toBe(204);
      expect(reply.headers).not.toHaveProperty("x-ratelimit-limit");
    }
    const { origin } = preflight;
    for (const [status, remaining] of [
      [200, 2],
      [200, 1],
      [200, 0],
      [429, 0],
    ] as const) {
      const reply = await send("GET /things/fetch", null, { headers: { origin } });
      expect(reply.status).toBe(status);
      expect(quotaOf(reply)[1]).toBe(remaining);
      const exposed = String(reply.headers["access-control-expose-headers"]).split(",");
      expect(exposed).toEqual(
        expect.arrayContaining([
          "Retry-After",
          "X-RateLimit-Limit",
          "X-RateLimit-Remaining",
          "X-RateLimit-Reset",
        ]),
      );
    }
  });
});

const own = (windowSeconds: number) => ({ maxRequests: limit, windowSeconds, per: "ip" as const });
const limits = {
  tasks: defineLimits({ fetch: own(60) }),
  // Of these two the wait is longer.
  folders: defineLimits({ fetch: own(90) }),
};
const development = await countingInPostgres({}, limits);
const byVariable = await countingInPostgres({
  setByEnvironment: ["SERVICE_SET_RATE_LIMIT__DEFAULT_MAX_REQUESTS"],
});
const production = await countingInPostgres({ production: true }, limits);

type Send = (service: LimitedService) => Promise<Reply>;

const get = (path: string) => (service: LimitedService) => service.send({ method: "GET", path }, "admin");
const query = (text: string) => (service: LimitedService) =>
  service.send({ method: "POST", path: "/graphql", body: { query: text } }, "admin");
const login: Send = (service) =>
  service.send({ method: "POST", path: "/auth/login", body: { email: "ann@example.com", password: "x" } });

const manifest = "rate_limit.default_max_requests in models/manifest.json";
const model = (key: string) => `the rate_limit of the model ${key}`;

/** Requests, how long they wait, and what sets the limit that they exceed. */
const requests: readonly (readonly [name: string, send: Send, seconds: number, setBy: string])[] = [
  ["a model without a limit of its own", get("/things/fetch"), 60, manifest],
  ["an operation with a limit of its own", get("/tasks/fetch"), 60, model("tasks")],
  ["another operation of that model", get("/tasks/count"), 60, manifest],
  ["a route of accounts", login, 60, manifest],
  ["a root field of GraphQL", query("{ things { id } }"), 60, manifest],
  ["several, of which one waits longest", query("{ things { id } folders { id } }"), 90, model("folders")],
];

async function refusal(service: LimitedService, send: Send): Promise<Reply> {
  for (let times = 0; times < limit; times++) expect((await send(service)).status).not.toBe(429);
  const reply = await send(service);
  expect(reply.status).toBe(429);
  return reply;
}

describe("what is beyond a limit", () => {
  beforeEach(async () => {
    for (const service of [development, byVariable, production]) {
      await service.store({});
      await service.forget();
    }
  });

  test.each(requests)(
    "%s: while one develops the answer names what sets it",
    async (_, send, seconds, setBy) => {
      const { envelope } = await refusal(development, send);
      const wait = `Too many requests. Try again in ${seconds} seconds.`;
      expect(envelope.message).toBe(`${wait} While you develop, raise ${setBy}.`);
    },
  );

  test.each(requests)("%s: in production it does not", async (_, send, seconds) => {
    const { envelope } = await refusal(production, send);
    expect(envelope.message).toBe(`Too many requests. Try again in ${seconds} seconds.`);
  });

  test("it names the variable where that sets the limit", async () => {
    const { envelope } = await refusal(byVariable, get("/things/fetch"));
    expect(envelope.message).toMatch(/ raise SERVICE_SET_RATE_LIMIT__DEFAULT_MAX_REQUESTS\.$/);
  });

  test("a page for people never does", async () => {
    const { text } = await refusal(development, get("/auth/verify-email?token=x"));
    expect(text).not.toContain("rate_limit");
  });
});
