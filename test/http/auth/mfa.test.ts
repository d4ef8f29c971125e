import { createSecretKey } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { account, accounts, countRows, password } from "../../support/accounts.ts";
import { testClock } from "../../support/clock.ts";
import { type Enrolment, enrol, setUp, totp, wrongTotp } from "../../support/mfa.ts";

import { outcome, scenarios } from "../../support/scenarios.ts";
import { type Settings, testService } from "../../support/service.ts";

const clock = testClock();
const service = await testService({ name: "Book & Shop: Öl" }, { now: clock.now });

const given = accounts([
  account(1, { email: "ann+1@example.com" }),
  account(2),
  account(3, { email: null, phone_number: "+12025550123" }),
]);
const user = { role: "user", sub: "1" };
const gone = { role: "user", sub: "9" };

const post = (path: string, body: Json, as: typeof user | null = user) =>
  service.send({ method: "POST", path: `/auth/${path}`, body }, as);
const login = (mfa_code?: Json, to = service) => {
  const body = { email: "ann+1@example.com", password, ...(mfa_code !== undefined && { mfa_code }) };
  return to.send({ method: "POST", path: "/auth/login", body });
};
const atOnce = async (count: number, send: () => Promise<Parameters<typeof outcome>[0]>) =>
  (await Promise.all(Array.from({ length: count }, send))).map(outcome).sort();
const once = (count: number) => ["200", ...Array(count - 1).fill("401 INVALID_MFA_CODE")];

beforeEach(() => service.store(given));

describe("POST /auth/setup-mfa", () => {
  test("answers what an authenticator reads, and ten backup codes", async () => {
    const { envelope } = await post("setup-mfa", {});
    const data = envelope.data as { provisioning_uri: string; backup_codes: string[] };
    expect(Object.keys(data)).toEqual(["provisioning_uri", "backup_codes"]);
    expect(data.provisioning_uri).toMatch(
      /^otpauth:\/\/totp\/Book%20%26%20Shop%3A%20%C3%96l:ann%2B1%40example\.com\?secret=[A-Z2-7]{32}&issuer=Book%20%26%20Shop%3A%20%C3%96l&algorithm=SHA1&digits=6&period=30$/,
    );
    expect(data.backup_codes).toHaveLength(10);
    expect(new Set(data.backup_codes).size).toBe(10);
    for (const code of data.backup_codes) expect(code).toMatch(/^[a-z2-7]{5}-[a-z2-7]{5}$/);
  });

  test("the label of an account without e-mail is its phone number", async () => {
    const { envelope } = await post("setup-mfa", {}, { role: "user", sub: "3" });
    expect((envelope.data as { provisioning_uri: string }).provisioning_uri).toContain(":%2B12025550123?");
  });

  test("stores and logs none of it in the clear", async () => {
    const { secret, backupCodes } = await setUp(service, user);
    const [row] = await service.query("SELECT to_jsonb(t) AS row FROM auth_mfa AS t");
    expect(row?.["row"]).toMatchObject({
      user_id: 1,
      enabled: false,
      secret: expect.stringMatching(/^v1\.[\w-]{80,}$/),
      backup_codes: Array(10).fill(expect.stringMatching(/^[0-9a-f]{64}$/)),
    });
    const seen = JSON.stringify(row) + JSON.stringify(service.log);
    for (const text of [secret, ...backupCodes]) expect(seen).not.toContain(text);
  });

  test("changes no login before it is activated", async () => {
    await setUp(service, user);
    expect(outcome(await login())).toBe("200");
  });

  test("again replaces what is pending; while enabled it is refused and changes nothing", async () => {
    const first = await setUp(service, user);
    const second = await setUp(service, user);
    const activate = (code: string) => post("verify-mfa", { code, action: "activate" });
    expect(outcome(await activate(totp(first.secret, clock)))).toBe("401 INVALID_MFA_CODE");
    expect(outcome(await activate(first.backupCodes[0] ?? ""))).toBe("401 INVALID_MFA_CODE");
    expect(outcome(await activate(totp(second.secret, clock)))).toBe("200");
    expect(outcome(await post("setup-mfa", {}))).toBe("400 VALIDATION_ERROR");
    expect(outcome(await login(totp(second.secret, clock, 1)))).toBe("200");
  });

  scenarios(service, [
    { given, send: "POST /auth/setup-mfa", as: gone, fails: "404 NOT_FOUND" },
    { given, send: "POST /auth/setup-mfa", body: {}, fails: "401 MISSING_TOKEN" },
    { given, send: "POST /auth/setup-mfa", body: { x: 1 }, as: user, fails: "400 VALIDATION_ERROR x" },
  ]);
});

describe("POST /auth/verify-mfa", () => {
  let mine: Enrolment;
  const verify = (code: Json, rest: object = {}) => post("verify-mfa", { code, ...rest });

  describe("activates", () => {
    beforeEach(async () => {
      mine = await setUp(service, user);
    });

    test("with a code", async () => {
      const reply = await verify(totp(mine.secret, clock), { action: "activate" });
      expect(reply.envelope.data).toEqual({ enabled: true });
      expect(outcome(await login())).toBe("403 MFA_REQUIRED");
      const again = await verify(totp(mine.secret, clock, 1), { action: "activate" });
      expect([outcome(again), again.envelope.message]).toEqual([
        "400 VALIDATION_ERROR",
        "MFA is already enabled.",
      ]);
    });

    test("with a backup code, which is used up", async () => {
      const reply = await verify(mine.backupCodes[3] ?? "", { action: "activate" });
      expect(reply.envelope.data).toEqual({ enabled: true });
      expect(outcome(await verify(mine.backupCodes[3] ?? ""))).toBe("401 INVALID_MFA_CODE");
    });

    test("not with a wrong one", async () => {
      const reply = await verify(wrongTotp(mine.secret, clock), { action: "activate" });
      expect(outcome(reply)).toBe("401 INVALID_MFA_CODE");
      expect(outcome(await login())).toBe("200");
    });

    test("and does nothing else before", async () => {
      const reply = await verify(totp(mine.secret, clock));
      expect([outcome(reply), reply.envelope.message]).toEqual([
        "400 VALIDATION_ERROR",
        "MFA is not enabled: activate it first.",
      ]);
    });
  });

  describe("checks", () => {
    beforeEach(async () => {
      mine = await enrol(service, clock, user);
    });

    test("a code of the authenticator", async () => {
      const reply = await verify(totp(mine.secret, clock));
      expect(reply.envelope.data).toEqual({ backup_code_used: false, backup_codes_remaining: 10 });
    });

    test.each(["check", "", null])("with the action %j as without any", async (action) => {
      const reply = await verify(totp(mine.secret, clock), { action });
      expect(reply.envelope.data).toEqual({ backup_code_used: false, backup_codes_remaining: 10 });
    });

    test("a backup code, once, in any case", async () => {
      const code = mine.backupCodes[0] ?? "";
      const reply = await verify(code.toUpperCase());
      expect(reply.envelope.data).toEqual({ backup_code_used: true, backup_codes_remaining: 9 });
      expect(outcome(await verify(code))).toBe("401 INVALID_MFA_CODE");
      const next = await verify(mine.backupCodes[9] ?? "");
      expect(next.envelope.data).toEqual({ backup_code_used: true, backup_codes_remaining: 8 });
    });

    test("one step before or after the present one, no further", async () => {
      clock.pass(60);
      expect(outcome(await verify(totp(mine.secret, clock, -2)))).toBe("401 INVALID_MFA_CODE");
      expect(outcome(await verify(totp(mine.secret, clock, 2)))).toBe("401 INVALID_MFA_CODE");
      expect(outcome(await verify(totp(mine.secret, clock, -1)))).toBe("200");
      expect(outcome(await verify(totp(mine.secret, clock, 1)))).toBe("200");
    });

    test("each step once, and none before one that was used", async () => {
      clock.pass(60);
      const code = totp(mine.secret, clock);
      expect(outcome(await verify(code))).toBe("200");
      expect(outcome(await verify(code))).toBe("401 INVALID_MFA_CODE");
      expect(outcome(await verify(totp(mine.secret, clock, -1)))).toBe("401 INVALID_MFA_CODE");
      clock.pass(30);
      expect(outcome(await verify(code))).toBe("401 INVALID_MFA_CODE");
      expect(outcome(await verify(totp(mine.secret, clock)))).toBe("200");
    });

    test("only codes of the user", async () => {
      const theirs = await enrol(service, clock, { role: "user", sub: "2" });
      expect(outcome(await verify(totp(theirs.secret, clock)))).toBe("401 INVALID_MFA_CODE");
      expect(outcome(await verify(theirs.backupCodes[0] ?? ""))).toBe("401 INVALID_MFA_CODE");
    });

    // biome-ignore format: one case a line
    test.each<[string, (code: string) => Json]>([
      ["a number", Number],
      ["with a blank", (code) => ` ${code}`],
      ["with a line break", (code) => `${code}\n`],
      ["too short", (code) => code.slice(1)],
      ["too long", (code) => `${code}0`],
      ["in other digits", (code) => code.replace(/\d/g, (digit) => String.fromCharCode(0x0660 + Number(digit)))],
      ["a list", (code) => [code]],
      ["an object", () => ({ $ne: "" })],
      ["null", () => null],
      ["empty", () => ""],
      ["very long", () => "1".repeat(10_000)],
      ["hexadecimal", () => "0x1234"],
      ["negative", (code) => `-${code.slice(1)}`],
    ])("nothing of another form: %s", async (_, malformed) => {
      const code = totp(mine.secret, clock);
      expect(outcome(await verify(malformed(code)))).toBe("401 INVALID_MFA_CODE");
      expect(outcome(await verify(code))).toBe("200");
    });
  });

  // biome-ignore format: one case a line
  scenarios(service, [
    { name: "nothing is set up", given, send: "POST /auth/verify-mfa", as: user, body: { code: "123456" }, fails: "400 VALIDATION_ERROR" },
    { name: "nothing to activate",
      given,
      send: "POST /auth/verify-mfa",
      as: user,
      body: { code: "123456", action: "activate" },
      fails: "400 VALIDATION_ERROR",
    },
    { name: "no code", given, send: "POST /auth/verify-mfa", as: user, body: { action: "activate" }, fails: "400 VALIDATION_ERROR code" },
    { name: "an action that is no text",
      given,
      send: "POST /auth/verify-mfa",
      as: user,
      body: { code: "123456", action: 7 },
      fails: "400 VALIDATION_ERROR action",
    },
    { given, send: "POST /auth/verify-mfa", as: gone, body: { code: "123456" }, fails: "404 NOT_FOUND" },
    { given, send: "POST /auth/verify-mfa", body: { code: "123456" }, fails: "401 MISSING_TOKEN" },
  ]);
});

describe("POST /auth/disable-mfa", () => {
  test("with a code: the login needs none any more, and a new setup has another secret", async () => {
    const { secret, backupCodes } = await enrol(service, clock, user);
    expect(outcome(await post("disable-mfa", { code: wrongTotp(secret, clock) }))).toBe(
      "401 INVALID_MFA_CODE",
    );
    expect(outcome(await login())).toBe("403 MFA_REQUIRED");
    const reply = await post("disable-mfa", { code: totp(secret, clock) });
    expect(reply.envelope.data).toEqual({ enabled: false });
    expect(await countRows(service, "auth_mfa")).toBe(0);
    expect(outcome(await login())).toBe("200");
    expect(outcome(await post("disable-mfa", { code: backupCodes[0] ?? "" }))).toBe("400 VALIDATION_ERROR");
    expect((await setUp(service, user)).secret).not.toBe(secret);
  });

  test("with a backup code", async () => {
    const { backupCodes } = await enrol(service, clock, user);
    expect(outcome(await post("disable-mfa", { code: backupCodes[0] ?? "" }))).toBe("200");
  });

  test("what is only pending is not enabled", async () => {
    const { secret } = await setUp(service, user);
    expect(outcome(await post("disable-mfa", { code: totp(secret, clock) }))).toBe("400 VALIDATION_ERROR");
  });

  scenarios(service, [
    { given, send: "POST /auth/disable-mfa", as: user, body: {}, fails: "400 VALIDATION_ERROR code" },
    { given, send: "POST /auth/disable-mfa", as: gone, body: { code: "123456" }, fails: "404 NOT_FOUND" },
    { given, send: "POST /auth/disable-mfa", body: { code: "123456" }, fails: "401 MISSING_TOKEN" },
  ]);
});

describe("a login with MFA", () => {
  let mine: Enrolment;
  beforeEach(async () => {
    mine = await enrol(service, clock, user);
  });

  test("needs a code, only after the right password", async () => {
    expect(outcome(await login())).toBe("403 MFA_REQUIRED");
    expect(outcome(await login(null))).toBe("403 MFA_REQUIRED");
    for (const code of ["", "12345", 123456, {}, wrongTotp(mine.secret, clock)])
      expect(outcome(await login(code))).toBe("401 INVALID_MFA_CODE");
    const body = { email: "ann+1@example.com", password: `${password}x`, mfa_code: totp(mine.secret, clock) };
    expect(outcome(await post("login", body, null))).toBe("401 INVALID_CREDENTIALS");
    expect(await countRows(service, "auth_tokens")).toBe(0);
    expect(outcome(await login(totp(mine.secret, clock)))).toBe("200");
    expect(outcome(await login(mine.backupCodes[0]))).toBe("200");
  });

  test("after ACCOUNT_INACTIVE and EMAIL_NOT_VERIFIED, which use no code up", async () => {
    const code = mine.backupCodes[0] ?? "";
    await service.query("UPDATE users SET is_active = false, is_verified = false WHERE id = 1");
    expect(outcome(await login(code))).toBe("403 ACCOUNT_INACTIVE");
    await service.query("UPDATE users SET is_active = true WHERE id = 1");
    expect(outcome(await login(code))).toBe("403 EMAIL_NOT_VERIFIED");
    await service.query("UPDATE users SET is_verified = true WHERE id = 1");
    expect(outcome(await login(code))).toBe("200");
  });

  test.each<[unknown: Json, expected: string]>([
    [null, "403 MFA_REQUIRED"],
    ["", "401 INVALID_MFA_CODE"],
    ["abc", "401 INVALID_MFA_CODE"],
    ["0".repeat(5000), "401 INVALID_MFA_CODE"],
    [123456, "401 INVALID_MFA_CODE"],
    [true, "401 INVALID_MFA_CODE"],
    [["123456"], "401 INVALID_MFA_CODE"],
    [{ $ne: "" }, "401 INVALID_MFA_CODE"],
  ])("the mfa_code %j", async (code, expected) => {
    expect(outcome(await login(code))).toBe(expected);
    expect(await countRows(service, "auth_tokens")).toBe(0);
  });

  // More logins of one e-mail at once would be 503.
  const most = 8;

  test("of eight with one code one succeeds", async () => {
    const code = totp(mine.secret, clock);
    expect(await atOnce(most, () => login(code))).toEqual(once(most));
    expect(await countRows(service, "auth_tokens")).toBe(1);
  });

  test("of eight with one backup code one succeeds", async () => {
    expect(await atOnce(most, () => login(mine.backupCodes[0]))).toEqual(once(most));
    expect(await countRows(service, "auth_mfa", "jsonb_array_length(backup_codes) = 9")).toBe(1);
  });

  test("of sixteen on all routes one gets in", async () => {
    const code = totp(mine.secret, clock);
    let turn = 0;
    const send = () => (turn++ % 2 === 0 ? login(code) : post("verify-mfa", { code }));
    expect(await atOnce(2 * most, send)).toEqual(once(2 * most));
  });

  test("eight backup codes at once log in eight times", async () => {
    const replies = await Promise.all(mine.backupCodes.slice(0, most).map((code) => login(code)));
    expect(replies.map(outcome)).toEqual(Array(most).fill("200"));
    expect(outcome(await login(mine.backupCodes[0]))).toBe("401 INVALID_MFA_CODE");
  });
});

describe("the secrets", () => {
  const withKeys = async (secrets: NonNullable<Settings["secrets"]>) => {
    const other = await testService({ secrets }, { now: clock.now });
    return {
      async login(mfa_code: string) {
        const users = await service.query("SELECT id, email, password FROM users WHERE id = 1");
        const rows = await service.query(
          "SELECT user_id, secret, enabled, last_used_step, backup_codes FROM auth_mfa WHERE user_id = 1",
        );
        await other.store({ users: users.map((row) => ({ ...row, is_verified: true })), auth_mfa: rows });
        return login(mfa_code, other);
      },
      log: other.log,
    };
  };
  const encryption = createSecretKey(Buffer.from("a key for encryption, 32 bytes at least"));
  const jwt = createSecretKey(Buffer.from("another secret for tokens, 32 bytes at least"));

  test("stay readable when an encryption key is set", async () => {
    const { secret, backupCodes } = await enrol(service, clock, user);
    const later = await withKeys({ encryption: [encryption] });
    expect(outcome(await later.login(totp(secret, clock)))).toBe("200");
    expect(outcome(await later.login(backupCodes[0] ?? ""))).toBe("200");
  });

  test("are unreadable with another secret: logins fail, and the log has the reason", async () => {
    const { secret, backupCodes } = await enrol(service, clock, user);
    const later = await withKeys({ jwt: [jwt] });
    expect(outcome(await later.login(totp(secret, clock)))).toBe("500 INTERNAL_ERROR");
    expect(outcome(await later.login(backupCodes[0] ?? ""))).toBe("401 INVALID_MFA_CODE");
    expect(JSON.stringify(later.log)).toContain("cannot be decrypted");
  });

  test("are bound to their user", async () => {
    const { secret } = await enrol(service, clock, user);
    await enrol(service, clock, { role: "user", sub: "2" });
    await service.query(
      "UPDATE auth_mfa SET secret = (SELECT secret FROM auth_mfa WHERE user_id = 1) WHERE user_id = 2",
    );
    const body = { email: "user2@example.com", password, mfa_code: totp(secret, clock) };
    expect(outcome(await post("login", body, null))).toBe("500 INTERNAL_ERROR");
  });
});
