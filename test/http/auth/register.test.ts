import { describe, expect, test } from "vitest";
import { account, accounts, countRows, password } from "../../support/accounts.ts";
import { claimsIn, mailing, signing, tokenIn } from "../../support/links.ts";
import { expectRows, outcome, type Scenario, scenarios } from "../../support/scenarios.ts";
import { type TestService, testService } from "../../support/service.ts";
import { testSmtp } from "../../support/smtp.ts";
import { service as fixture } from "../fixture/generated/index.ts";

const smtp = await testSmtp();
// With a hook the route asks for the hash before it looks whether the address is taken: hooks.test.ts.
const hookless = { ...fixture, accounts: { ...fixture.accounts, hooks: {} } };
const service = await testService(mailing(smtp), { served: hookless });

const register = (body: Record<string, unknown>, rest: Partial<Scenario> = {}): Scenario => ({
  name: rest.name ?? JSON.stringify(body),
  send: "POST /auth/register",
  body: JSON.parse(JSON.stringify({ email: "ann@example.com", password, ...body })),
  ...rest,
});
const post = (body: object, to: TestService = service) =>
  to.send({ method: "POST", path: "/auth/register", body: { password, ...body } });
const stored = (email: string) => ({ users: [{ email }] });

describe("POST /auth/register", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    register(
      { first_name: "Ann", last_name: null },
      { data: { user: { user_id: expect.any(Number),
            email: "ann@example.com",
            first_name: "Ann",
            last_name: null,
            phone_number: null,
            role: "user",
            is_verified: false,
            created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
            last_login_at: null,
          },
          verification_email_sent: true,
        },
        rows: { users: [{ email: "ann@example.com", role: "user", is_verified: false, is_active: true, points: 10 }], auth_tokens: [] },
      },
    ),
    register({ role: "admin" }, { rows: { users: [{ role: "user" }] } }),
    register({ role: "signed_in" }, { rows: { users: [{ role: "user" }] } }),
    register({ role: "*" }, { rows: { users: [{ role: "user" }] } }),
    register({ role: { $ne: 1 } }, { rows: { users: [{ role: "user" }] } }),
    register({}, { name: "with a stale token", headers: { authorization: "Bearer stale" } }),
  ]);

  describe("stores the address in one form", () => {
    scenarios(service, [
      register({ email: "  Ann@Example.COM " }, { rows: stored("ann@example.com") }),
      register({ email: "Jürgen@exämple.de" }, { rows: stored("jürgen@xn--exmple-cua.de") }),
      register({ email: "ann@BÜCHER.example" }, { rows: stored("ann@xn--bcher-kva.example") }),
      register({ email: "ju\u0308rgen@exa\u0308mple.de" }, { rows: stored("jürgen@xn--exmple-cua.de") }),
      register({ email: "o'neil+shop@example.com" }, { rows: stored("o'neil+shop@example.com") }),
    ]);
  });

  describe("refuses what is no single plain address", () => {
    const refused = { fails: "400 VALIDATION_ERROR email", rows: { users: [] } };
    const name = (text: string) => JSON.stringify(text);
    scenarios(
      service,
      [
        "ann",
        "@example.com",
        "ann@",
        "ann@example",
        "ann@example.com\r\nBcc: eve@example.com",
        "ann\n@example.com",
        "ann@example.com,eve@example.com",
        "ann@example.com;eve@example.com",
        "ann@example.com eve@example.com",
        '"ann"@example.com',
        '"a\\"b"@example.com',
        "Ann <ann@example.com>",
        "<ann@example.com>",
        "ann(comment)@example.com",
        "ann＠example.com",
        `${"a".repeat(65)}@example.com`,
        `ann@${"a".repeat(250)}.com`,
        "a".repeat(1001),
        " ",
      ].map((email) => register({ email }, { ...refused, name: name(email) })),
    );
    scenarios(service, [
      register({ email: "a\u0000nn@example.com" }, { name: "NUL", fails: "400 VALIDATION_ERROR" }),
      register({ email: undefined }, refused),
      register({ email: null }, refused),
      register({ email: ["ann@example.com"] }, refused),
      register({ email: { $gt: "" } }, refused),
    ]);
  });

  describe("refuses what else does not fit", () => {
    // biome-ignore format: one case a line
    scenarios(service, [
      register({ password: undefined }, { fails: "400 VALIDATION_ERROR password" }),
      register({ password: null }, { fails: "400 VALIDATION_ERROR password" }),
      register({ password: "" }, { fails: "400 WEAK_PASSWORD password" }),
      register(
        { password: "abc" },
        { fails: "400 WEAK_PASSWORD password", details: { rules: ["min_length", "uppercase", "digit", "symbol"] }, rows: { users: [] } },
      ),
      register({ password: `${password}${"x".repeat(60)}` }, { fails: "400 WEAK_PASSWORD password" }),
      register({ password: "x".repeat(5000) }, { name: "a very long password", fails: "400 WEAK_PASSWORD password" }),
      register({ first_name: "x".repeat(256) }, { fails: "400 VALIDATION_ERROR first_name" }),
      register({ last_name: 7 }, { fails: "400 VALIDATION_ERROR last_name" }),
      register({ is_verified: true }, { fails: "400 VALIDATION_ERROR is_verified" }),
      register({ handle: "ann" }, { fails: "400 VALIDATION_ERROR handle" }),
      register({ id: 1 }, { fails: "400 VALIDATION_ERROR id" }),
      { name: "without a body", send: "POST /auth/register", fails: "400 VALIDATION_ERROR email" },
      { send: "GET /auth/register", fails: "405 HTTP_ERROR" },
    ]);
  });

  describe("refuses an address that has an account", () => {
    const given = accounts([account(1, { email: "jürgen@xn--exmple-cua.de", is_active: false })]);
    const taken = { given, fails: "409 EMAIL_ALREADY_EXISTS email" };
    scenarios(service, [
      register({ email: "jürgen@exämple.de" }, taken),
      // Only ASCII letters are the same in either case.
      register({ email: "jÜrgen@exämple.de" }, { given }),
      register({ email: "Jürgen@Exämple.DE" }, taken),
    ]);

    test("of twenty at once, in different spellings, one gets it", async () => {
      await service.store({});
      const spellings = ["jürgen@example.com", "JüRGEN@example.com", " ju\u0308rgen@EXAMPLE.com"];
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, index) => post({ email: spellings[index % 3] })),
      );
      expect(replies.map(outcome).sort()).toEqual([
        "200",
        ...Array(19).fill("409 EMAIL_ALREADY_EXISTS email"),
      ]);
      expect(await countRows(service, "users")).toBe(1);
    });
  });
});

describe("the mail", () => {
  test("has a link that verifies the address", async () => {
    await service.store({});
    const reply = await post({ email: " Mail@Example.com ", first_name: "Ann" });
    const mail = await smtp.next("mail@example.com");
    expect(mail.to).toEqual(["mail@example.com"]);
    expect(mail.text).toContain("Hello Ann,");
    expect(mail.link).toMatch(/^https:\/\/shop\.example\/auth\/verify-email\?token=[\w.-]+$/);
    const { user } = reply.envelope.data as { user: { user_id: number } };
    const { iat, exp, ...claims } = claimsIn(tokenIn(mail.link));
    expect(claims).toEqual({
      sub: String(user.user_id),
      email: "mail@example.com",
      type: "email_verification",
    });
    expect(Number(exp) - Number(iat)).toBe(24 * 60 * 60);
  });

  test("is in the log and in the answer when the server refuses it; the account is there", async () => {
    await service.store({});
    smtp.mood = "refuse";
    const reply = await post({ email: "refused@example.com" });
    smtp.mood = "accept";
    expect(reply.envelope.data).toMatchObject({ verification_email_sent: false });
    await expectRows(service, "users", [{ email: "refused@example.com" }]);
    const line = service.log.find((one) => String(one["msg"]).includes("verification mail"));
    expect(line).toMatchObject({ level: 50, request_id: reply.headers["x-request-id"] });
    expect(JSON.stringify(service.log)).not.toContain("token=");
  });

  test.each([
    ["a provider", { ...signing }, "email.provider is not set"],
    ["a key", { email: mailing(smtp).email ?? {} }, "SERVICE_AUTH_VERIFICATION_KEY is not set"],
  ])("is not sent without %s, which the log says", async (_, settings, reason) => {
    const silent = await testService(settings);
    const reply = await post({ email: "silent@example.com" }, silent);
    expect(reply.envelope.data).toMatchObject({ verification_email_sent: false });
    expect(smtp.mails.some(({ to }) => to.includes("silent@example.com"))).toBe(false);
    const msg = `the verification mail of a registration was not sent: ${reason}`;
    expect(silent.log.filter(({ level }) => Number(level) >= 40)).toMatchObject([{ level: 40, msg }]);
  });

  test("follows auth_prefix and base_url", async () => {
    const moved = await testService({
      ...mailing(smtp),
      authPrefix: "/api/account",
      baseUrl: "https://b.example/x",
    });
    const body = { email: "moved@example.com", password };
    const reply = await moved.send({ method: "POST", path: "/api/account/register", body });
    expect(outcome(reply)).toBe("200");
    expect((await smtp.next("moved@example.com")).link).toMatch(
      /^https:\/\/b\.example\/x\/api\/account\/verify-email\?token=/,
    );
    expect((await moved.send({ method: "POST", path: "/auth/register", body })).status).toBe(404);
  });
});

describe("with email_verification_required off", async () => {
  const lenient = await testService({ auth: { emailVerificationRequired: false } });

  test("answers tokens too, which work", async () => {
    const reply = await post({ email: "ann@example.com" }, lenient);
    expect(reply.envelope.data).toEqual({
      user: expect.objectContaining({ email: "ann@example.com" }),
      verification_email_sent: false,
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      expiresIn: 3600,
    });
    const { accessToken, refreshToken } = reply.envelope.data as Record<string, string>;
    const headers = { authorization: `Bearer ${accessToken}` };
    expect(outcome(await lenient.send({ method: "GET", path: "/auth/me", headers }))).toBe("200");
    const body = { refreshToken: refreshToken ?? "" };
    expect(outcome(await lenient.send({ method: "POST", path: "/auth/refresh-token", body }))).toBe("200");
  });
});
