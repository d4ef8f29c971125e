import bcrypt from "bcrypt";
import { describe, expect, test } from "vitest";
import { account, accounts, password, session } from "../../support/accounts.ts";
import { requestOf } from "../../support/request.ts";
import { outcome, type Scenario, scenarios } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { claimsOf, signed, tokenOf } from "../../support/service-token.ts";

const service = await testService();

const next = "Another-Horse-2!";
const key = { user_id: 1, token_type: "api_key", token_hash: "k", expires_at: "2099-01-01" };
const reset = { user_id: 1, token_type: "password_reset", token_hash: "r", expires_at: "2099-01-01" };
const foreign = session(2);
const users = [account(1), account(2), account(3, { password: null, phone_number: "+4930123456" })];
const given = accounts(users, [session(1).row, session(1).row, key, reset, foreign.row]);

const path = "/auth/change-password";
const body = { current_password: password, new_password: next, confirm_password: next };
const change = (changes: object, rest: Partial<Scenario> = {}): Scenario => ({
  name: rest.name ?? JSON.stringify(changes),
  given,
  send: `POST ${path}`,
  as: "user",
  body: JSON.parse(JSON.stringify({ ...body, ...changes })),
  ...rest,
});
const to = (text: string) => ({ new_password: text, confirm_password: text });
const unchanged = { rows: { auth_tokens: Array(5).fill({}), auth_token_blacklist: [] } };
const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const login = (attempt: string) =>
  service.send(requestOf("POST /auth/login", { email: "user1@example.com", password: attempt }));

describe("POST /auth/change-password", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    change({}, { as: null, fails: "401 MISSING_TOKEN" }),
    change({}, { name: "with an API key", as: null, headers: { "x-api-key": "kk_1" }, fails: "401 MISSING_TOKEN" }),
    change({ current_password: undefined }, { fails: "400 VALIDATION_ERROR current_password" }),
    change({ new_password: undefined }, { fails: "400 VALIDATION_ERROR new_password" }),
    change({ confirm_password: undefined }, { fails: "400 VALIDATION_ERROR confirm_password" }),
    change({ old: "x" }, { fails: "400 VALIDATION_ERROR old" }),
    change({ current_password: "Wrong-Horse-1!" }, { fails: "401 INVALID_CREDENTIALS current_password", ...unchanged }),
    change({ confirm_password: `${next} ` }, { fails: "400 VALIDATION_ERROR confirm_password", ...unchanged }),
    change(to("short"), { fails: "400 WEAK_PASSWORD new_password", ...unchanged }),
    change(to(`${next}${"x".repeat(60)}`), { name: "too long", fails: "400 WEAK_PASSWORD new_password" }),
    change(
      { current_password: "Wrong", new_password: "short", confirm_password: "other" },
      { name: "the confirmation comes first", fails: "400 VALIDATION_ERROR confirm_password" },
    ),
    change({ current_password: "Wrong", ...to("short") }, { name: "then the rules", fails: "400 WEAK_PASSWORD new_password" }),
    change({}, { name: "an account without a password", as: { role: "user", sub: "3" }, fails: "401 INVALID_CREDENTIALS current_password" }),
    change({}, { name: "a user who is gone", as: { role: "user", sub: "9" }, fails: "404 NOT_FOUND" }),
    change({}, { name: "a subject that is no id", as: { role: "user", sub: "x" }, fails: "404 NOT_FOUND" }),
    { send: `GET ${path}`, fails: "405 HTTP_ERROR" },
  ]);

  test("sets the password, ends sessions and pending resets, keeps API keys, revokes the access token", async () => {
    await service.store(given);
    await service.query("UPDATE users SET updated_at = '2020-01-01' WHERE id = 1");
    const token = signed(claimsOf("user"));
    const reply = await service.send({ method: "POST", path, body, ...as(token) });
    expect([outcome(reply), reply.envelope.data]).toEqual(["200", {}]);
    expect(reply.headers["set-cookie"]).toBeUndefined();
    const left = await service.query("SELECT user_id, token_type FROM auth_tokens ORDER BY user_id");
    expect(left).toEqual([
      { user_id: "1", token_type: "api_key" },
      { user_id: "2", token_type: "refresh" },
    ]);
    const [row] = await service.query(
      "SELECT password, updated_at > '2026-01-01' AS touched FROM users WHERE id = 1",
    );
    expect(await bcrypt.compare(next, String(row?.["password"]))).toBe(true);
    expect(row?.["touched"]).toBe(true);
    expect(outcome(await service.send({ method: "GET", path: "/auth/me", ...as(token) }))).toBe(
      "401 TOKEN_REVOKED",
    );
    // Another access token of the user is good until it expires.
    expect(outcome(await service.send({ method: "GET", path: "/auth/me" }, "user"))).toBe("200");
    expect(outcome(await login(password))).toBe("401 INVALID_CREDENTIALS");
    expect(outcome(await login(next))).toBe("200");
  });

  test("succeeds if the access token cannot be revoked, and logs the failure", async () => {
    await service.store(given);
    await service.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON auth_token_blacklist FOR EACH ROW EXECUTE FUNCTION refuse();`);
    const reply = await service.send({ method: "POST", path, body }, "user");
    await service.query("DROP TRIGGER refuse ON auth_token_blacklist");
    expect(outcome(reply)).toBe("200");
    expect(outcome(await login(next))).toBe("200");
    const line = service.log.find(({ msg }) => String(msg).includes("was not revoked"));
    expect(line).toMatchObject({ level: 50, request_id: reply.headers["x-request-id"] });
  });

  test("of two at once with one current password one wins", async () => {
    await service.store(given);
    const attempts = ["First-Horse-123!", "Second-Horse-123!"].map((text) =>
      service.send({ method: "POST", path, body: { current_password: password, ...to(text) } }, "user"),
    );
    const outcomes = (await Promise.all(attempts)).map(outcome).sort();
    expect(outcomes).toEqual(["200", "401 INVALID_CREDENTIALS current_password"]);
  });
});

test("accepts the auth cookie, and leaves it to the client", async () => {
  const cookies = await testService({ auth: { cookieName: "session" } });
  await cookies.store(given);
  const headers = { cookie: `session=${tokenOf("user")}` };
  const reply = await cookies.send({ method: "POST", path, body, headers });
  expect(outcome(reply)).toBe("200");
});
