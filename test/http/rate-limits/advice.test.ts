import { beforeEach, describe, expect, test } from "vitest";
import { defineLimits } from "#runtime/rate-limit/index";
import { countingInPostgres, type LimitedService, limit } from "../../support/limited-service.ts";
import type { Reply } from "../../support/request.ts";

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
