import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#runtime/core/database/index";
import { account, accounts, apiKey } from "../../support/accounts.ts";
import type { Scenario } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { claimsOf, signed } from "../../support/service-token.ts";
import { watchedDatabase } from "../../support/watched-database.ts";

/** What was asked of the tables of accounts. */
const looked: string[] = [];
const watch = (database: Database): Database =>
  watchedDatabase(database, (connection) => (statement, values) => {
    if (/\bauth_|\busers\b/.test(statement.text)) looked.push(statement.text);
    return connection.run(statement, values);
  });
const service = await testService({ auth: { cookieName: "session" } }, { watch });

const claims = claimsOf({ role: "user", sub: "7" });
const good = signed(claims);
const revokedClaims = claimsOf({ role: "user", sub: "7" });
const revoked = signed(revokedClaims);
const key = apiKey(7);
const idle = apiKey(8);
const expired = apiKey(7, { expires_at: new Date(Date.now() - 1000).toISOString() });

beforeAll(async () => {
  await service.store({
    ...accounts(
      [account(7), account(8, { is_active: false })],
      [key, idle, expired].map(({ row }) => row),
    ),
    auth_token_blacklist: [
      { jti: revokedClaims["jti"], expires_at: new Date(Date.now() + 60_000).toISOString() },
    ],
    tasks: [
      { id: 1, title: "mine", user: 7 },
      { id: 2, title: "theirs", user: 8 },
    ],
  });
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe("a credential stands for the same caller as over REST", () => {
  test.each<[string, NonNullable<Scenario["headers"]>, number]>([
    ["none", {}, 403],
    ["an access token", bearer(good), 200],
    ["a cookie", { cookie: `session=${good}` }, 200],
    ["an API key", { "x-api-key": key.key }, 200],
    ["an API key as a Bearer value", bearer(key.key), 200],
    ["a revoked token", bearer(revoked), 401],
    ["a revoked token in the cookie", { cookie: `session=${revoked}` }, 401],
    ["an expired API key", { "x-api-key": expired.key }, 401],
    ["an API key of an inactive user", { "x-api-key": idle.key }, 401],
    ["an invalid token and a valid API key", { ...bearer("x"), "x-api-key": key.key }, 401],
    ["another scheme", { authorization: "Basic YTpi" }, 401],
  ])("%s", async (_, headers, status) => {
    const rest = await service.send({ method: "GET", path: "/tasks/fetch?select_fields=id", headers });
    const body = { query: "{ tasks { id } }" };
    const { envelope, ...graphql } = await service.send({ method: "POST", path: "/graphql", headers, body });
    expect([rest.status, graphql.status]).toEqual([status, status]);
    expect(envelope.error).toBe(rest.envelope.error);
    if (status === 200) {
      expect(rest.envelope.data).toEqual([{ id: 1 }]);
      expect(envelope.data).toEqual({ tasks: [{ id: 1 }] });
      expect(service.log.at(-1)).toMatchObject({ path: "/graphql", user_id: "7" });
    }
  });
});

test("it is checked once a request, however many root fields there are, and no users row is read", async () => {
  const query = "{ a: tasks { id } b: tasks(limit: 1) { title } tasks_aggregate { count } }";
  looked.length = 0;
  await service.send({ method: "POST", path: "/graphql", headers: bearer(good), body: { query } });
  expect(looked).toEqual([expect.stringContaining("from auth_token_blacklist")]);
});
