import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { account, accounts, apiKey, countRows, password } from "../../support/accounts.ts";
import { type Reply, requestOf } from "../../support/request.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { tokenOf } from "../../support/service-token.ts";
import { stage } from "../fixture/stage.ts";

const service = await testService({ auth: { emailVerificationRequired: false } });

const user = { role: "user", sub: "1" };
const dataOf = (reply: Reply) => {
  expect(outcome(reply), reply.text).toBe("200");
  return Object(reply.envelope.data);
};
const change = (changes: Json, as = user) => service.send(requestOf("PATCH /auth/me", changes), as);
const read = async (as = user) => dataOf(await service.send(requestOf("GET /auth/account"), as)).user;
const register = (columns: Record<string, Json>) =>
  service.send(requestOf("POST /auth/register", { email: "new@example.com", password, ...columns }));
const store = (columns = {}) => service.store(accounts([account(1, columns), account(2)]));
const builtIn = [
  ...["user_id", "email", "role", "first_name", "last_name", "is_verified", "is_active"],
  ...["created_at", "last_login_at", "phone_number"],
];

beforeEach(async () => {
  Object.assign(stage, { hooks: {}, fired: [] });
  await store();
  service.log.length = 0;
});
afterEach(() => {
  Object.assign(stage, { hooks: {}, fired: [] });
});

describe("the owner reads", () => {
  const self = ["handle", "settings", "nickname", "budget"];

  test.each([
    ["user", self],
    ["staff", [...self, "points", "level"]],
  ])("what self or the role %s of the account reads, and no password", async (role, columns) => {
    await store({ role, pin: "x", badge: "b", budget: "12.5", born_at: "2000-01-01T00:00:00Z" });
    // The row has the role, not the token.
    const shown = await read();
    expect(Object.keys(shown).sort()).toEqual([...builtIn, ...columns].sort());
    expect(shown).toMatchObject({ budget: "12.50", nickname: null });
  });

  test("values with all their digits", async () => {
    await service.query(
      `UPDATE users SET settings = '{"n": 12345678901234567890}', budget = 999999999999999999.99`,
    );
    const { text } = await service.send(requestOf("GET /auth/account"), user);
    expect(text).toContain('"settings":{"n":12345678901234567890}');
    expect(text).toContain('"budget":"999999999999999999.99"');
  });

  test("and others read in joins only what their role reads", async () => {
    await service.query("UPDATE users SET nickname = 'annie' WHERE id = 1");
    const query = "{ letters { id author { nickname } } }";
    const reply = await service.send(requestOf("POST /graphql", { query }), "staff");
    expect(reply.text).not.toContain("annie");
    expect(reply.text).toContain("nickname");
    expect(reply.status).toBe(403);
  });
});

describe("the owner writes", () => {
  test("what self writes, with names, in one change", async () => {
    const shown = dataOf(await change({ nickname: "annie", first_name: "Ann", settings: { dark: true } }));
    expect(shown).toMatchObject({ nickname: "annie", first_name: "Ann", settings: { dark: true } });
    expect(await read()).toEqual(shown);
    const [event] = service.log.filter(({ msg }) => msg === "account event");
    expect(event).toMatchObject({
      event: "profile.updated",
      changes: ["first_name", "nickname", "settings"],
    });
    expect(dataOf(await change({ nickname: null }))).toMatchObject({ nickname: null, first_name: "Ann" });
  });

  test("whole numbers beyond a double, and passwords as hashes", async () => {
    const body = '{"settings": {"n": 12345678901234567890}, "pin": "4711"}';
    const reply = await service.send(
      { method: "PATCH", path: "/auth/me", headers: { "content-type": "application/json" }, body },
      user,
    );
    expect(reply.text).toContain('"settings":{"n":12345678901234567890}');
    expect(reply.text).not.toContain("pin");
    expect(await countRows(service, "users", "pin LIKE '$2%' AND length(pin) = 60")).toBe(1);
  });

  test.each<[Record<string, Json>, string]>([
    [{ nickname: "x".repeat(21) }, "nickname"],
    [{ nickname: 7 }, "nickname"],
    [{ nickname: "taken" }, "nickname"],
    [{ budget: "1.00" }, "budget"],
    [{ level: 2 }, "level"],
    [{ badge: "b" }, "badge"],
    [{ points: 5 }, "points"],
    [{ born_at: "2000-01-01T00:00:00Z" }, "born_at"],
    [{ Nickname: "annie" }, "Nickname"],
  ])("not %j, and then nothing", async (changes, field) => {
    await service.query("UPDATE users SET nickname = 'taken' WHERE id = 2");
    for (const role of ["user", "staff", "admin"]) {
      await service.query(`UPDATE users SET role = '${role}' WHERE id = 1`);
      const reply = await change({ first_name: "Eve", ...changes }, { role, sub: "1" });
      expect(outcome(reply)).toBe(`400 VALIDATION_ERROR ${field}`);
    }
    expect(await countRows(service, "users", "first_name = 'Eve' OR level = 2 OR badge = 'b'")).toBe(0);
  });

  test("a hook gets values as in responses, and can write any column of the app", async () => {
    stage.hooks = {
      before_update_account: (value) => ({ ...value, changes: { ...value.changes, level: 7 } }),
    };
    dataOf(await change({ nickname: "annie" }));
    expect(stage.fired.map(({ value }) => value)).toEqual([
      { user_id: 1, changes: { nickname: "annie" } },
      { user_id: 1, changes: { nickname: "annie", level: 7 } },
    ]);
    expect(await countRows(service, "users", "id = 1 AND level = 7")).toBe(1);
  });
});

describe("registration", () => {
  test("takes what self writes, and hooks see it", async () => {
    dataOf(await register({ nickname: "annie", settings: { dark: true }, pin: "4711" }));
    const condition = `nickname = 'annie' AND settings = '{"dark": true}' AND pin LIKE '$2%' AND level = 1`;
    expect(await countRows(service, "users", condition)).toBe(1);
    const [fired] = stage.fired.filter(({ hook }) => hook === "before_register");
    expect(fired?.value).toMatchObject({ nickname: "annie", settings: { dark: true } });
  });

  test.each<[Record<string, Json>, string]>([
    [{ nickname: "x".repeat(21) }, "nickname"],
    [{ level: 2 }, "level"],
    [{ budget: "1.00" }, "budget"],
    [{ handle: "ann" }, "handle"],
    [{ is_verified: true }, "is_verified"],
    [{ id: 7 }, "id"],
  ])("refuses %j", async (columns, field) => {
    expect(outcome(await register(columns))).toBe(`400 VALIDATION_ERROR ${field}`);
    expect(await countRows(service, "users")).toBe(2);
  });
});

test("no credential has the role self", async () => {
  const token = tokenOf({ role: "self", sub: "1" });
  const key = apiKey(1);
  await service.store(accounts([account(1, { role: "self" })], [key.row]));
  const reply = (headers: Record<string, string>, path: string) =>
    service.send({ method: "GET", path, headers }).then(outcome);
  for (const path of ["/auth/account", "/auth/me"])
    expect(await reply({ authorization: `Bearer ${token}` }, path)).toBe("401 INVALID_TOKEN");
  expect(await reply({ "x-api-key": key.key }, "/notes/fetch")).toBe("401 INVALID_API_KEY");
});
