import bcrypt from "bcrypt";
import { describe, expect, test } from "vitest";
import { account, accounts, password } from "../../support/accounts.ts";
import { requestOf } from "../../support/request.ts";
import { outcome, type Scenario, scenarios } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";

const service = await testService();

const given = accounts([
  account(1, { email: "ann@example.com", first_name: "Ann" }),
  account(2, { email: "idle@example.com", is_active: false, is_verified: false }),
  account(3, { email: "new@example.com", is_verified: false }),
  account(4, { email: "phone@example.com", password: null }),
  account(5, { email: "jürgen@xn--exmple-cua.de" }),
]);

const login = (email: unknown, sent: unknown, rest: Partial<Scenario> = {}): Scenario => ({
  name: `${JSON.stringify(email)} ${JSON.stringify(sent)} ${rest.name ?? ""}`,
  given,
  send: "POST /auth/login",
  body: JSON.parse(JSON.stringify({ email, password: sent })),
  ...rest,
});
const wrong = { fails: "401 INVALID_CREDENTIALS" };

describe("POST /auth/login", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    login("ann@example.com", password, { data: { user: { user_id: 1,
          email: "ann@example.com",
          first_name: "Ann",
          last_name: null,
          phone_number: null,
          role: "user",
          is_verified: true,
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
          last_login_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
        },
        accessToken: expect.stringMatching(/^eyJ/),
        refreshToken: expect.stringMatching(/^eyJ/),
        expiresIn: 3600,
      },
      rows: { auth_tokens: [{ user_id: 1, token_type: "refresh", token_hash: expect.stringMatching(/^[0-9a-f]{64}$/) }] },
    }),
    login(" Ann@Example.COM ", password, { data: expect.anything() }),
    login("jürgen@exämple.de", password, { data: expect.anything() }),
    login("jürgen@EXÄMPLE.de", password, { data: expect.anything() }),
    login("jürgen@xn--exmple-cua.de", password, { data: expect.anything() }),
    login("ann@example.com", password, { name: "with a stale token", headers: { authorization: "Bearer stale" }, data: expect.anything() }),
    ...["device", null, 7].map((device_token) =>
      login("ann@example.com", password, { name: `with the device_token ${device_token}`,
        body: { email: "ann@example.com", password, device_token },
        data: expect.anything(),
      }),
    ),
    login("ann@example.com", password, { name: "with an mfa_code that is not required",
      body: { email: "ann@example.com", password, mfa_code: "123456" },
      data: expect.anything(),
    }),
    login("ann@example.com", "Wrong-Horse-1!!", { ...wrong, rows: { auth_tokens: [] } }),
    login("ann@example.com", `${password} `, wrong),
    login("nobody@example.com", password, wrong),
    login("phone@example.com", password, wrong),
    login("idle@example.com", "Wrong-Horse-1!!", wrong),
    login("idle@example.com", password, { fails: "403 ACCOUNT_INACTIVE", rows: { auth_tokens: [] } }),
    login("new@example.com", password, { fails: "403 EMAIL_NOT_VERIFIED", rows: { auth_tokens: [] } }),
    login("new@example.com", "Wrong-Horse-1!!", wrong),
    login("ann", password, { fails: "400 VALIDATION_ERROR email" }),
    login("a@b.example, ann@example.com", password, { fails: "400 VALIDATION_ERROR email" }),
    login(undefined, password, { fails: "400 VALIDATION_ERROR email" }),
    login("ann@example.com", undefined, { fails: "400 VALIDATION_ERROR password" }),
    login(["ann@example.com"], password, { fails: "400 VALIDATION_ERROR email" }),
    login("ann@example.com", { $ne: "" }, { fails: "400 VALIDATION_ERROR password" }),
    login("' OR 1=1 --@example.com", password, { fails: "400 VALIDATION_ERROR email" }),
    login("ann@example.com", password, { name: "with an unknown key",
      body: { email: "ann@example.com", password, mfacode: "1" },
      fails: "400 VALIDATION_ERROR mfacode",
    }),
    { name: "without a body", given, send: "POST /auth/login", fails: "400 VALIDATION_ERROR email" },
    { send: "GET /auth/login", fails: "405 HTTP_ERROR" },
    { send: "POST /auth/login/", body: {}, fails: "404 NOT_FOUND" },
    { send: "POST /auth/Login", body: {}, fails: "404 NOT_FOUND" },
  ]);

  test("the answer does not tell an address that is unknown from a wrong password", async () => {
    await service.store(given);
    const answers = ["nobody@example.com", "ann@example.com", "idle@example.com", "phone@example.com"].map(
      async (email) => {
        const body = { email, password: "Wrong-Horse-1!!" };
        const { status, text, headers } = await service.send({ method: "POST", path: "/auth/login", body });
        return { status, text, headers: Object.keys(headers).sort() };
      },
    );
    const [unknown, ...known] = await Promise.all(answers);
    for (const answer of known) expect(answer).toEqual(unknown);
  });
});

describe("with email_verification_required off", async () => {
  const lenient = await testService({ auth: { emailVerificationRequired: false } });
  scenarios(lenient, [login("new@example.com", password, { data: expect.anything() })]);
});

const costlier = await testService({ auth: { bcryptCost: 5 } });
const rounds = async () => {
  const [row] = await costlier.query("SELECT password FROM users");
  return bcrypt.getRounds(String(row?.["password"]));
};
const loginWith = (attempt = password) =>
  costlier.send(requestOf("POST /auth/login", { email: "user1@example.com", password: attempt }));

test("a login with the right password brings the hash to the cost of today", async () => {
  await costlier.store(accounts([account(1)]));
  expect(outcome(await loginWith("Wrong-Horse-1!!"))).toBe("401 INVALID_CREDENTIALS");
  expect(await rounds()).toBe(4);
  expect(outcome(await loginWith())).toBe("200");
  expect(await rounds()).toBe(5);
  expect(outcome(await loginWith())).toBe("200");
});

test("a login that is refused changes nothing", async () => {
  await costlier.store(accounts([account(1, { is_verified: false })]));
  expect(outcome(await loginWith())).toBe("403 EMAIL_NOT_VERIFIED");
  expect(await rounds()).toBe(4);
});

test("all of eight logins at once succeed, whichever of them renews the hash", async () => {
  await costlier.store(accounts([account(1)]));
  const replies = await Promise.all(Array.from({ length: 8 }, () => loginWith()));
  expect(new Set(replies.map(outcome))).toEqual(new Set(["200"]));
  expect(await rounds()).toBe(5);
});

test("a password change succeeds during a login that rehashes the password", async () => {
  await costlier.store(accounts([account(1)]));
  const new_password = "Other-Horse-2!";
  const body = { current_password: password, new_password, confirm_password: new_password };
  // Before the change is through, the logins replace the hash that it was compared with.
  const [changed] = await Promise.all([
    costlier.send({ method: "POST", path: "/auth/change-password", body }, { role: "user", sub: "1" }),
    ...Array.from({ length: 5 }, () => loginWith()),
  ]);
  expect(changed === undefined ? "" : outcome(changed)).toBe("200");
  expect(outcome(await loginWith(new_password))).toBe("200");
  expect(outcome(await loginWith())).toBe("401 INVALID_CREDENTIALS");
});
