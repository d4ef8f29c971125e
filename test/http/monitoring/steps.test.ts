import { describe, expect, test } from "vitest";
import { account, accounts, password } from "../../support/accounts.ts";
import { limited } from "../../support/limited-service.ts";
import { type MonitoredTestService, monitoredService } from "../../support/monitoring.ts";
import { type RecordedRequest, recorded } from "../../support/recorded.ts";
import { requestOf, type Sent } from "../../support/request.ts";
import type { Caller } from "../../support/service-token.ts";
import { player } from "../../support/social/player.ts";
import { baseUrl, begin, playGithub, socialSettings } from "../../support/social/sign-in.ts";
import { type StagedHooks, stage } from "../fixture/stage.ts";

const service = await monitoredService();
const counted = await monitoredService({}, limited({ rateLimit: { defaultMaxRequests: 1_000 } }));
const unsampled = await monitoredService({ sampleRate: 0, slowRequestMs: 60_000 });
const slow = await monitoredService({ sampleRate: 0, slowRequestMs: 0 });
const halved = await monitoredService({ sampleRate: 0.5, slowRequestMs: 60_000 });

const named = ({ steps }: RecordedRequest) => steps.map(({ name }) => name).join(" ");

/** Names of the steps of a request, in their order, with these hooks on the stage. */
async function stepsOf(
  by: MonitoredTestService,
  sent: Sent,
  { as = null, hooks = {} }: { readonly as?: Caller; readonly hooks?: StagedHooks } = {},
): Promise<string> {
  stage.hooks = hooks;
  try {
    return named((await recorded(by, sent, as)).trace);
  } finally {
    stage.hooks = {};
  }
}

interface Tokens {
  readonly refreshToken: string;
}
const unidentified = { user_id: null, role: null };

const post = (path: string, body: Sent["body"]): Sent => ({ method: "POST", path, body });
const graphql = (query: string) => post("/graphql", { query });
const hooked = { name: "a", code: "c" };
const untilPlan = "auth validate hook:before_graphql parse plan";

describe("the steps of a request, in the order in which they began", () => {
  // biome-ignore format: one case a line
  test.each<[string, Sent, Caller, string]>([
    ["rows", requestOf("GET /notes/fetch"), null, "auth validate sql serialize"],
    ["a count", requestOf("GET /notes/count"), "user", "auth validate sql serialize"],
    ["a create", post("/notes/create", { data: { body: "b" } }), "admin", "auth validate sql serialize"],
    ["rows with hooks", requestOf("GET /hooked/fetch"), null, "auth validate hook:before_fetch sql hook:after_fetch serialize"],
    ["a create with hooks", post("/hooked/create", { data: hooked }), "admin", "auth validate hook:before_create sql hook:after_create serialize"],
    ["what is malformed", requestOf("GET /notes/fetch?nothing=1"), null, "auth validate"],
    ["a role without access", post("/notes/create", { data: {} }), "user", "auth"],
    ["a path that leads nowhere", requestOf("GET /nowhere"), null, ""],
    ["GraphQL, with hooks", graphql("{ notes { id } }"), null, `${untilPlan} sql hook:after_graphql serialize`],
    ["a statement for each root field", graphql("{ a: notes { id } b: notes { id } }"), null, `${untilPlan} sql sql hook:after_graphql serialize`],
    ["GraphQL that cannot be read", graphql("{"), null, "auth validate hook:before_graphql parse"],
    ["a route of the accounts", requestOf("GET /auth/me"), null, "auth"],
  ])("%s", async (_, sent, as, expected) => {
    expect(await stepsOf(service, sent, { as })).toBe(expected);
  });

  test("a limit comes after the caller is known; its statements are its own", async () => {
    expect(await stepsOf(counted, requestOf("GET /notes/fetch"))).toBe("auth limit validate sql serialize");
    expect(await stepsOf(counted, graphql("{ notes { id } }"))).toBe(
      `${untilPlan} limit plan sql hook:after_graphql serialize`,
    );
  });

  test("a login counts twice, and its statements are steps", async () => {
    await counted.store(accounts([account(1, { email: "ann@example.com" })]));
    const names = await stepsOf(counted, post("/auth/login", { email: "ann@example.com", password }));
    const others = names.replaceAll(/ sql\b/g, "");
    expect(others).toBe("auth limit validate limit password hook:after_login serialize");
    expect(names.indexOf("sql")).toBeGreaterThan(names.lastIndexOf("limit"));
  });

  test.each<[string, Sent, Caller]>([
    ["a registration", post("/auth/register", { email: "new@example.com", password }), null],
    ["a wrong password", post("/auth/login", { email: "nobody@example.com", password }), null],
    ["a password of a record", post("/people/create", { data: { name: "Ann", secret: password } }), "admin"],
  ])("hashing is a step: %s", async (_, sent, as) => {
    await service.store({});
    const { reply, trace } = await recorded(service, sent, as);
    expect([reply.text, named(trace).match(/\bpassword\b/g)]).toEqual([reply.text, ["password"]]);
  });

  test("each call to a provider is a step", async () => {
    const provider = await player();
    const social = socialSettings({ github: {} });
    const signedIn = await monitoredService({}, { baseUrl, social }, { resolveProvider: provider.resolve });
    playGithub(provider, { id: 7 });
    const { state, cookie } = await begin(signedIn, "github");
    const path = `/auth/github/callback?code=good&state=${state}`;
    const { trace } = await recorded(signedIn, { method: "GET", path, headers: { cookie } });
    expect(named(trace).match(/provider:\S+/g)).toEqual(Array(3).fill("provider:github"));
    expect(trace.request).toMatchObject({ user_id: expect.stringMatching(/^\d+$/), role: "user" });
  });

  test("what a hook asks of the database belongs to it", async () => {
    const hooks: StagedHooks = {
      before_create: async (value, { transaction }) => {
        await transaction.raw("select 1");
        return value;
      },
    };
    expect(
      await stepsOf(service, post("/hooked/create", { data: { ...hooked, name: "b" } }), {
        as: "admin",
        hooks,
      }),
    ).toBe("auth validate hook:before_create sql hook:after_create serialize");
  });

  test("a bulk create runs its hook for each record, and one statement", async () => {
    const data = ["c", "d", "e"].map((name) => ({ name, code: "c" }));
    const hooks = "hook:before_create hook:before_create hook:before_create";
    expect(await stepsOf(service, post("/hooked/create", { data }), { as: "admin" })).toBe(
      `auth validate ${hooks} sql hook:after_create serialize`,
    );
  });

  test("a statement that fails is a step, and so is a hook that throws", async () => {
    const twin = post("/hooked/create", { data: { ...hooked, name: "twin" } });
    await service.send(twin, "admin");
    expect(await stepsOf(service, twin, { as: "admin" })).toBe("auth validate hook:before_create sql");
    const hooks: StagedHooks = {
      before_create() {
        throw new Error("no");
      },
    };
    expect(await stepsOf(service, twin, { as: "admin", hooks })).toBe("auth validate hook:before_create");
  });
});

describe("who a sign-in was", () => {
  const email = "ann@example.com";
  const ann = { user_id: "1", role: "user" };
  const login = post("/auth/login", { email, password });

  test.each<[string, (tokens: Tokens) => Sent, object]>([
    ["a login", () => login, ann],
    ["a wrong password", () => post("/auth/login", { email, password: `${password}x` }), unidentified],
    ["a renewal", ({ refreshToken }) => post("/auth/refresh-token", { refreshToken }), ann],
    ["a refused renewal", () => post("/auth/refresh-token", { refreshToken: "x" }), unidentified],
  ])("%s", async (_, sent, expected) => {
    await service.store(accounts([account(1, { email })]));
    const { envelope } = await service.send(login);
    const { trace } = await recorded(service, sent(Object(envelope.data)));
    expect(trace.request).toMatchObject(expected);
  });
});

describe("the times of steps", () => {
  test("steps lie within their request, and one begins after the other", async () => {
    const { trace } = await recorded(service, requestOf("GET /hooked/fetch"));
    const whole = Number(trace.request["duration_ms"]);
    let earliest = 0;
    for (const { at_ms, duration_ms } of trace.steps) {
      expect(at_ms).toBeGreaterThanOrEqual(earliest);
      expect(duration_ms).toBeGreaterThanOrEqual(0);
      // Each is rounded by itself.
      expect(at_ms + duration_ms).toBeLessThanOrEqual(whole + 0.01);
      earliest = at_ms;
    }
  });

  test("a hook takes as long as it takes", async () => {
    const hooks: StagedHooks = {
      before_fetch() {
        const until = performance.now() + 20;
        while (performance.now() < until);
      },
    };
    stage.hooks = hooks;
    const { trace } = await recorded(service, requestOf("GET /hooked/fetch"));
    stage.hooks = {};
    const hook = trace.steps.find(({ name }) => name === "hook:before_fetch");
    expect(hook?.duration_ms).toBeGreaterThanOrEqual(19.9);
  });
});

describe("which requests keep their steps", () => {
  test("none with a sample rate of 0, but slow ones", async () => {
    expect(await stepsOf(unsampled, requestOf("GET /notes/fetch"))).toBe("");
    expect(await stepsOf(slow, requestOf("GET /notes/fetch"))).toBe("auth validate sql serialize");
  });

  test("about half of them with 0.5, and every request is recorded", async () => {
    const traces = await Promise.all(
      Array.from({ length: 100 }, () => recorded(halved, requestOf("GET /notes/fetch"))),
    );
    const withSteps = traces.filter(({ trace }) => trace.steps.length > 0).length;
    expect(withSteps).toBeGreaterThan(20);
    expect(withSteps).toBeLessThan(80);
  });
});
