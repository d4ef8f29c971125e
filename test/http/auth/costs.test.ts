import { availableParallelism } from "node:os";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Queryable, Statement } from "#runtime/core/database/index";
import { account, accounts, apiKey, countRows, password } from "../../support/accounts.ts";
import { eventually } from "../../support/eventually.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import type { Caller } from "../../support/service-token.ts";

const service = await testService();
const slow = await testService({ auth: { bcryptCost: 10 } });

const key = apiKey(1);
const given = accounts([account(1)], [key.row]);

beforeEach(() => service.store(given));
afterEach(() => {
  vi.restoreAllMocks();
});

describe("a credential is checked once per request, with one statement, which does not lock the user row", () => {
  /** The statements of accounts that a request runs. */
  async function statements(path: string, as: Caller, headers = {}): Promise<readonly string[]> {
    const sent: Statement[] = [];
    const noting =
      ({ run }: Queryable): Queryable["run"] =>
      (statement, values) => {
        sent.push(statement);
        return run(statement, values);
      };
    const { run, readsOf } = service.pool;
    vi.spyOn(service.pool, "run").mockImplementation(noting({ run }));
    vi.spyOn(service.pool, "readsOf").mockImplementation((caller) => ({ run: noting(readsOf(caller)) }));
    expect(outcome(await service.send({ method: "GET", path, headers }, as))).toBe("200");
    return sent.flatMap(({ name, text }) => (/auth_|users/.test(text) ? [name ?? text] : []));
  }

  test("an access token on a model route: along with the statement of the route", async () => {
    expect(await statements("/tasks/fetch", "user")).toEqual(["kirak_auth_blacklist_has"]);
  });

  test("/auth/me, which reads the row", async () => {
    const both = ["kirak_auth_blacklist_has", "kirak_auth_user_by_id"];
    expect(await statements("/auth/me", "user")).toEqual(both);
  });

  test("an API key on a model route, whose look-up joins its user", async () => {
    const used = () => statements("/tasks/fetch", null, { "x-api-key": key.key });
    // The first use of a key from before the mark of its secret stores the mark.
    expect(await used()).toEqual(["kirak_auth_api_key_owner", "kirak_auth_api_key_move"]);
    vi.restoreAllMocks();
    expect(await used()).toEqual(["kirak_auth_api_key_owner"]);
  });

  test("without credentials: none", async () => {
    expect(await statements("/things/fetch", null)).toEqual([]);
  });
});

describe("more concurrent passwords than the queue holds", () => {
  const capacity = 64 + availableParallelism();
  const email = "new@example.com";

  test("503 soon, and requests with a token are served meanwhile", async () => {
    await slow.store(accounts([account(1)]));
    const register = (count: number) =>
      slow.send({ method: "POST", path: "/auth/register", body: { email: `${count}${email}`, password } });
    const all = Array.from({ length: capacity + 10 }, (_, count) => register(count));
    const first = await Promise.any(
      all.map(async (reply) => {
        if (outcome(await reply) === "200") throw new Error("served");
        return reply;
      }),
    );
    expect(outcome(first)).toBe("503 HTTP_ERROR");
    expect(first.headers["retry-after"]).toBe("1");
    expect(outcome(await slow.send({ method: "GET", path: "/auth/me" }, "user"))).toBe("200");
    const outcomes = (await Promise.all(all)).map(outcome);
    expect(outcomes.filter((one) => one !== "200" && one !== "503 HTTP_ERROR")).toEqual([]);
    expect(await countRows(slow, "users", "id <> 1")).toBe(outcomes.filter((one) => one === "200").length);
    // A flood of requests is no flood of stacks.
    const refused = outcomes.filter((one) => one !== "200").length;
    const refusals = () => slow.log.filter(({ status }) => status === 503);
    // A line is written when its answer is on its way.
    await eventually(() => expect(refusals()).toHaveLength(refused));
    expect(refusals().filter((line) => "err" in line)).toEqual([]);
  }, 60_000);
});
