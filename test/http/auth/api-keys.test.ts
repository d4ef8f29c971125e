import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { account, accounts, apiKey, countRows } from "../../support/accounts.ts";
import { outcome, type Scenario, scenarios } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { jwtSecret } from "../../support/service-token.ts";

const service = await testService();

const mine = apiKey(1, { id: 11, name: "mine" });
const old = apiKey(1, { id: 12, expires_at: "2020-01-01T00:00:00Z", last_used_at: "2019-01-01T12:00:00Z" });
const twin = apiKey(1, { id: 13, key_prefix: mine.prefix });
const theirs = apiKey(2, { id: 21 });
const session = { ...apiKey(1).row, id: 31, token_type: "refresh", key_prefix: null };
const given = accounts(
  [account(1), account(2, { role: "admin" }), account(3)],
  [mine.row, old.row, theirs.row, session],
);
const user = { role: "user", sub: "1" };
const admin = { role: "admin", sub: "2" };
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/);
const iso = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

const made = (rest: object = {}) => ({
  id: expect.any(Number),
  api_key: expect.stringMatching(/^kk_[0-9a-f]{64}$/),
  key_prefix: expect.stringMatching(/^kk_[0-9a-f]{8}$/),
  name: null,
  expires_at: moment,
  created_at: moment,
  ...rest,
});
const create = (body: Scenario["body"], rest: Partial<Scenario> = {}): Scenario => ({
  name: JSON.stringify(body),
  given,
  send: "POST /auth/api-keys/create",
  as: user,
  body,
  ...rest,
});
const badExpiry = { fails: "400 VALIDATION_ERROR expires_at" };

describe("POST /auth/api-keys/create", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    create({}, { data: made() }),
    { ...create(undefined), data: made() },
    create({ name: "ci" }, { data: made({ name: "ci" }) }),
    create({ name: null }, { data: made() }),
    create({ expires_at: "2999-01-01T12:00:00Z" }, { data: made({ expires_at: "2999-01-01T12:00:00.000Z" }) }),
    create({ expires_at: "2999-01-01T12:00:00+02:00" }, { data: made({ expires_at: "2999-01-01T10:00:00.000Z" }) }),
    create({ expires_at: "2999-01-01T12:00:00" }, { data: made({ expires_at: "2999-01-01T12:00:00.000Z" }) }),
    create({ expires_at: "2999-01-01" }, { data: made({ expires_at: "2999-01-01T00:00:00.000Z" }) }),
    create({ expires_at: null }, badExpiry),
    create({ expires_at: "" }, badExpiry),
    create({ expires_at: "soon" }, badExpiry),
    create({ expires_at: "2999-02-30" }, badExpiry),
    create({ expires_at: 4102444800 }, badExpiry),
    create({ expires_at: "2020-01-01T00:00:00Z" }, badExpiry),
    create({ expires_at: iso(-0.001) }, { name: "a minute ago", ...badExpiry }),
    create({ name: 7 }, { fails: "400 VALIDATION_ERROR name" }),
    create({ name: "x".repeat(256) }, { fails: "400 VALIDATION_ERROR name" }),
    create({ role: "admin" }, { fails: "400 VALIDATION_ERROR role" }),
    create({ user_id: 1 }, { data: made() }),
    create({ user_id: 2 }, { fails: "403 PERMISSION_DENIED" }),
    create({ user_id: 9 }, { fails: "403 PERMISSION_DENIED" }),
    create({ user_id: "1" }, { fails: "400 VALIDATION_ERROR user_id" }),
    create({ user_id: 1 }, { name: "an administrator for another", as: admin, data: made() }),
    create({ user_id: 9 }, { name: "for an unknown user", as: admin, fails: "404 NOT_FOUND" }),
    create({}, { name: "a user who is gone", as: { role: "user", sub: "9" }, fails: "404 NOT_FOUND" }),
    create({}, { name: "without a token", as: null, fails: "401 MISSING_TOKEN" }),
    create({}, { name: "with an API key", as: null, headers: { "x-api-key": mine.key }, fails: "401 MISSING_TOKEN" }),
  ]);

  test("stores only a keyed hash, for 365 days, and does not log the key", async () => {
    await service.store(given);
    const reply = await service.send({ method: "POST", path: "/auth/api-keys/create", body: {} }, user);
    const { id, api_key, key_prefix } = reply.envelope.data as Record<string, string>;
    const hash = createHmac("sha256", jwtSecret)
      .update(api_key ?? "")
      .digest("hex");
    const [row] = await service.query("SELECT to_jsonb(t) AS row FROM auth_tokens AS t WHERE id = $1", [id]);
    expect(row?.["row"]).toMatchObject({
      user_id: 1,
      token_type: "api_key",
      token_hash: hash,
      key_prefix: api_key?.slice(0, 11),
      last_used_at: null,
    });
    expect(key_prefix).toBe(api_key?.slice(0, 11));
    const life = "expires_at BETWEEN now() + interval '364 days 23 hours' AND now() + interval '365 days'";
    expect(await countRows(service, "auth_tokens", `id = ${id} AND ${life}`)).toBe(1);
    const random = api_key?.slice(11) ?? "";
    expect(JSON.stringify(row)).not.toContain(random);
    expect(JSON.stringify(service.log)).not.toContain(random);
  });

  test("waits for a concurrent change of the user's sessions", async () => {
    await service.store(given);
    let reply: Promise<unknown> | null = null;
    await service.pool.transaction(async (transaction) => {
      await transaction.run({ name: null, text: "SELECT 1 FROM users WHERE id = 1 FOR NO KEY UPDATE" }, []);
      reply = service.send({ method: "POST", path: "/auth/api-keys/create", body: {} }, user);
      const waits = () => countRows(service, "pg_stat_activity", "wait_event_type = 'Lock'");
      await expect.poll(waits).toBe(1);
      await transaction.run({ name: null, text: "DELETE FROM auth_tokens WHERE user_id = 1" }, []);
    });
    await reply;
    expect(await countRows(service, "auth_tokens", "user_id = 1")).toBe(1);
  });
});

const listed = ({ row }: ReturnType<typeof apiKey>, rest: object = {}) => ({
  id: row["id"],
  name: row["name"] ?? null,
  key_prefix: row["key_prefix"],
  expires_at: row["expires_at"],
  last_used_at: null,
  created_at: moment,
  ...rest,
});
const ofUser = [
  listed(mine),
  listed(old, { expires_at: "2020-01-01T00:00:00.000Z", last_used_at: "2019-01-01T12:00:00.000Z" }),
];

describe("GET /auth/api-keys/list", () => {
  const list = (query: string, rest: Partial<Scenario>): Scenario => ({
    given,
    send: `GET /auth/api-keys/list${query}`,
    as: user,
    ...rest,
  });
  scenarios(service, [
    list("", { data: ofUser }),
    list("?user_id=1", { data: ofUser }),
    list("", { name: "no keys", as: { role: "user", sub: "3" }, data: [] }),
    list("?user_id=1", { name: "for an administrator", as: admin, data: ofUser }),
    list("", { name: "an administrator's own", as: admin, data: [listed(theirs)] }),
    list("?user_id=2", { fails: "403 PERMISSION_DENIED" }),
    list("?user_id=9", { as: admin, fails: "404 NOT_FOUND" }),
    list("?user_id=x", { as: admin, fails: "400 VALIDATION_ERROR user_id" }),
    list("?user_id=", { as: admin, fails: "400 VALIDATION_ERROR user_id" }),
    list("?user_id=1&user_id=1", { as: admin, fails: "400 VALIDATION_ERROR user_id" }),
    list("", { name: "a user who is gone", as: { role: "user", sub: "9" }, fails: "404 NOT_FOUND" }),
    list("", { name: "without a token", as: null, fails: "401 MISSING_TOKEN" }),
  ]);
});

describe("DELETE /auth/api-keys/revoke", () => {
  const revoke = (body: Scenario["body"], rest: Partial<Scenario>): Scenario => ({
    name: JSON.stringify(body),
    given,
    send: "DELETE /auth/api-keys/revoke",
    as: user,
    body,
    ...rest,
  });
  const left = (...ids: number[]) => ({ auth_tokens: ids.map((id) => ({ id })) });
  // biome-ignore format: one case a line
  scenarios(service, [
    revoke({ id: 11 }, { data: {}, rows: left(12, 21, 31) }),
    revoke({ key_prefix: mine.prefix }, { data: {}, rows: left(12, 21, 31) }),
    revoke({ id: 12 }, { name: "an expired one", data: {}, rows: left(11, 21, 31) }),
    revoke({ id: 21 }, { name: "another user's key", fails: "404 NOT_FOUND", rows: left(11, 12, 21, 31) }),
    revoke({ key_prefix: theirs.prefix }, { fails: "404 NOT_FOUND", rows: left(11, 12, 21, 31) }),
    revoke({ id: 11 }, { name: "an administrator", as: admin, data: {}, rows: left(12, 21, 31) }),
    revoke({ id: 31 }, { name: "no API key", as: admin, fails: "404 NOT_FOUND", rows: left(11, 12, 21, 31) }),
    revoke({ id: 99 }, { fails: "404 NOT_FOUND" }),
    revoke({ key_prefix: "kk_%" }, { fails: "404 NOT_FOUND" }),
    revoke({ key_prefix: mine.key }, { name: "the whole key", fails: "404 NOT_FOUND" }),
    revoke({ key_prefix: mine.prefix },
      { name: "a prefix of several", given: { ...given, auth_tokens: [mine.row, twin.row] }, fails: "400 VALIDATION_ERROR key_prefix",
        rows: left(11, 13) }),
    revoke({}, { fails: "400 VALIDATION_ERROR id" }),
    revoke({ id: 11, key_prefix: "kk_x" }, { fails: "400 VALIDATION_ERROR id", rows: left(11, 12, 21, 31) }),
    revoke({ id: "11" }, { fails: "400 VALIDATION_ERROR id" }),
    revoke({ id: null }, { fails: "400 VALIDATION_ERROR id" }),
    revoke({ id: 11 }, { name: "without a token", as: null, fails: "401 MISSING_TOKEN" }),
  ]);

  test("of twenty at once one succeeds", async () => {
    await service.store(given);
    const sent = { method: "DELETE", path: "/auth/api-keys/revoke", body: { id: 11 } };
    const replies = await Promise.all(Array.from({ length: 20 }, () => service.send(sent, user)));
    expect(replies.map(outcome).sort()).toEqual(["200", ...Array(19).fill("404 NOT_FOUND")]);
  });
});
