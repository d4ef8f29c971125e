import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { tooManyRequestsPage, verificationPage } from "#runtime/modules/auth/http/pages/account-pages";
import { PasswordQueue } from "#runtime/modules/auth/index";
import type { Json } from "#vocabulary/json";
import { account, accounts, countRows, password } from "../../support/accounts.ts";
import { limit, limitedServices } from "../../support/limited-service.ts";
import { mailing, verificationToken } from "../../support/links.ts";
import { firedHooks, outcome } from "../../support/scenarios.ts";
import type { Caller } from "../../support/service-token.ts";
import { testSms } from "../../support/sms.ts";
import { testSmtp } from "../../support/smtp.ts";
import { stage } from "../fixture/stage.ts";

const sms = await testSms();
const smtp = await testSmtp();
const services = await limitedServices({ ...mailing(smtp), sms: sms.settings });

const email = "user1@example.com";
const phone = "+12025550123";
const here = "203.0.113.7";
const there = "2001:db8::7";
const network = "2001:db8::/64";
const given = accounts([
  account(1),
  account(2),
  account(3, { email: "new@example.com", is_verified: false }),
]);
const user = { role: "user", sub: "1" };
const refused = "429 RATE_LIMIT_EXCEEDED";
const wrong = "401 INVALID_CREDENTIALS";
const times = <T>(count: number, value: T): T[] => Array(count).fill(value);

describe.each(services)("counters in $counters", (service) => {
  beforeEach(async () => {
    await service.forget();
    await service.store(given);
    sms.sent.length = 0;
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const post = (route: string, body: Json, from = here, as: Caller = null) =>
    service.send({ method: "POST", path: `/auth/${route}`, headers: { "x-forwarded-for": from }, body }, as);
  const login = async (sent: { email?: string; password?: string } = {}, from = here) =>
    outcome(await post("login", { email, password, ...sent }, from));

  describe("a login", () => {
    test("counts the address first, and does not count the e-mail if the address is refused", async () => {
      for (let count = 0; count < limit; count++)
        expect(await login({ email: `${count}@x.example` })).toBe(wrong);
      expect(await login()).toBe(refused);
      expect(await service.counted()).toEqual({
        [`auth:login:ip:${here}`]: limit,
        "auth:login:email:0@x.example": 1,
        "auth:login:email:1@x.example": 1,
        "auth:login:email:2@x.example": 1,
      });
      expect(await login({}, there)).toBe("200");
    });

    test("is refused for its e-mail from other addresses too, and counts for them", async () => {
      for (let count = 0; count < limit; count++) expect(await login({ password: "x" })).toBe(wrong);
      expect(await login({}, there)).toBe(refused);
      expect(await login({ email: "user2@example.com" }, there)).toBe("200");
      expect(await service.counted()).toEqual({
        [`auth:login:ip:${here}`]: limit,
        [`auth:login:ip:${network}`]: 2,
        [`auth:login:email:${email}`]: limit,
        "auth:login:email:user2@example.com": 1,
      });
    });

    test("with the right password resets nothing, and passes no limit", async () => {
      expect(await login({ password: "x" })).toBe(wrong);
      expect(await login()).toBe("200");
      expect(await login({ password: "x" })).toBe(wrong);
      expect(await login()).toBe(refused);
      expect(await login({}, there)).toBe(refused);
    });

    test("does not reveal which accounts exist", async () => {
      const answers = ["nobody@example.com", email, "new@example.com"].map(async (one, index) => {
        const replies = [];
        for (let count = 0; count < limit + 2; count++)
          replies.push(await post("login", { email: one, password: "x" }, `198.51.100.${index}`));
        return replies.map(({ status, text, headers }) => [
          status,
          text,
          headers["retry-after"],
          Object.keys(headers).sort(),
        ]);
      });
      const [unknown, ...known] = await Promise.all(answers);
      expect(unknown?.map(([status]) => status)).toEqual([...times(limit, 401), ...times(2, 429)]);
      for (const one of known) expect(one).toEqual(unknown);
    });

    test("that is refused makes no work: no hash, no look-up", async () => {
      const verify = vi.spyOn(PasswordQueue.prototype, "verify");
      const outcomes = await Promise.all(Array.from({ length: limit * 4 }, () => login({ password: "x" })));
      expect(outcomes.sort()).toEqual([...times(limit, wrong), ...times(limit * 3, refused)]);
      expect(verify).toHaveBeenCalledTimes(limit);
      const run = vi.spyOn(service.pool, "run");
      expect(await login()).toBe(refused);
      const statements = run.mock.calls.map(([{ text }]) => text);
      expect(statements.filter((text) => !text.includes("kirak_rate_limits"))).toEqual([]);
    });
  });

  test("a registration that is refused makes no hash and no account, and fires no hook, even of an address that is taken", async () => {
    const hash = vi.spyOn(PasswordQueue.prototype, "hash");
    const register = async (sent: string) => outcome(await post("register", { email: sent, password }));
    for (let count = 0; count < limit; count++) expect(await register(`${count}@x.example`)).toBe("200");
    Object.assign(stage, { fired: [] });
    expect(await register("more@x.example")).toBe(refused);
    expect(await register(email)).toBe(refused);
    expect(firedHooks()).toEqual([]);
    expect(hash).toHaveBeenCalledTimes(limit);
    expect(await countRows(service, "users")).toBe(3 + limit);
  });

  test("no mail is sent beyond the limit, and none of the answers tells who has an account", async () => {
    const before = smtp.mails.length;
    const ask = async (to: string) => outcome(await post("request-reset-password", { email: to }));
    const all = [...times(limit, "200"), ...times(2, refused)];
    for (const expected of all)
      expect([await ask(email), await ask("nobody@example.com")]).toEqual(times(2, expected));
    for (let count = 0; count < limit; count++) await smtp.next(email);
    expect(await ask("user2@example.com")).toBe("200");
    await smtp.next("user2@example.com");
    expect(await countRows(service, "auth_tokens", "user_id = 1")).toBe(limit);
    expect(smtp.mails.slice(before).flatMap(({ to }) => to)).toEqual([
      ...times(limit, email),
      "user2@example.com",
    ]);
  });

  test("no text message is sent beyond the limit, of requests at once either", async () => {
    const replies = await Promise.all(
      Array.from({ length: limit * 4 }, () => post("request-otp", { phone_number: phone })),
    );
    expect(replies.filter((reply) => outcome(reply) === refused)).toHaveLength(limit * 3);
    expect(sms.sent).toHaveLength(limit);
    // Asking for codes and trying them are two things.
    const body = { phone_number: phone, otp: sms.codeOf(phone) };
    expect(await service.counted()).toMatchObject({ [`auth:request-otp:phone:${phone}`]: limit });
    await post("verify-otp", body);
    expect(await service.counted()).toMatchObject({ [`auth:verify-otp:phone:${phone}`]: 1 });
  });

  test("a code that is right is not looked at beyond the limit", async () => {
    await post("request-otp", { phone_number: phone });
    const body = { phone_number: phone, otp: sms.codeOf(phone) };
    for (let count = 0; count < limit; count++)
      expect(outcome(await post("verify-otp", { ...body, otp: "x" }))).toBe("401 INVALID_OTP");
    expect(outcome(await post("verify-otp", body))).toBe(refused);
    service.clock.pass(60);
    expect(outcome(await post("verify-otp", body))).toBe("200");
  });

  describe("a refused body counts only for the address", () => {
    test.each<[string, Json]>([
      ["no e-mail", { password }],
      ["a broken e-mail", { email: "x", password }],
      ["an e-mail that is no text", { email: [email], password }],
      ["no password", { email }],
      ["a key more", { email, password, admin: true }],
      ["no JSON", "{"],
      ["a body that is too large", { email, password: "x".repeat(100_000) }],
    ])("%s", async (_, body) => {
      const from = { "x-forwarded-for": here, "content-type": "application/json" };
      const ask = () => service.send({ method: "POST", path: "/auth/login", headers: from, body });
      for (let count = 0; count < limit; count++) expect([400, 413]).toContain((await ask()).status);
      expect(await service.counted()).toEqual({ [`auth:login:ip:${here}`]: limit });
      expect(outcome(await ask())).toBe(refused);
    });

    test("and so does a URL that makes no text", async () => {
      const headers = { "x-forwarded-for": here };
      const ask = () => service.send({ method: "POST", path: "/auth/login?x=%zz", headers, body: {} });
      expect(outcome(await ask())).toBe("400 VALIDATION_ERROR");
      expect(await service.counted()).toEqual({ [`auth:login:ip:${here}`]: 1 });
    });

    test.each(["request-verification", "request-reset-password", "request-otp", "verify-otp"])(
      "%s: an invalid address counts for no one",
      async (route) => {
        expect((await post(route, { email: "x" })).status).toBe(400);
        expect(await service.counted()).toEqual({});
      },
    );
  });

  test("no body is waited for once the address is refused", async () => {
    for (let count = 0; count < limit; count++) await login();
    const headers = { "x-forwarded-for": here, "content-type": "text/plain" };
    const reply = await service.send({ method: "POST", path: "/auth/login", headers, body: "no JSON" });
    expect(outcome(reply)).toBe(refused);
  });

  describe.each(["setup-mfa", "verify-mfa", "disable-mfa"])("%s", (route) => {
    const body = route === "setup-mfa" ? {} : { code: "1" };

    test("a 401 counts nowhere", async () => {
      for (let count = 0; count < limit + 1; count++)
        expect(outcome(await post(route, body))).toBe("401 MISSING_TOKEN");
      const headers = { authorization: "Bearer x", "x-forwarded-for": here };
      const broken = await service.send({ method: "POST", path: `/auth/${route}`, headers, body });
      expect(outcome(broken)).toBe("401 INVALID_TOKEN");
      expect(await service.counted()).toEqual({});
    });

    test("users of one address share its counter, and one user has that of each address", async () => {
      for (let count = 0; count < limit; count++)
        expect((await post(route, body, here, user)).status).not.toBe(429);
      expect(outcome(await post(route, body, here, { role: "user", sub: "2" }))).toBe(refused);
      expect((await post(route, body, there, user)).status).not.toBe(429);
      const name = `auth:${route}:ip:`;
      expect(await service.counted()).toEqual({ [name + here]: limit, [name + network]: 1 });
    });
  });

  describe("GET /auth/verify-email", () => {
    const token = verificationToken(3, "new@example.com");
    const open = (method: string, from = here) =>
      service.send({
        method,
        path: `/auth/verify-email?token=${token}`,
        headers: { "x-forwarded-for": from },
      });

    test("a page says that there were too many; HEAD counts, and the link stays good", async () => {
      for (let count = 0; count < limit; count++) expect((await open("HEAD")).status).toBe(200);
      const reply = await open("GET");
      expect(reply.status).toBe(429);
      expect(reply.headers).toMatchObject({
        "content-type": "text/html; charset=utf-8",
        "retry-after": "60",
        "cache-control": "no-store",
        "content-security-policy": tooManyRequestsPage().contentSecurityPolicy,
      });
      expect(reply.text).toContain("<h1>Too many requests</h1>");
      expect(reply.text).not.toContain(token);
      const head = await open("HEAD");
      expect([head.status, head.text, head.headers["retry-after"]]).toEqual([429, "", "60"]);
      expect(await service.counted()).toEqual({ [`auth:verify-email:ip:${here}`]: limit });
      expect((await open("GET", there)).text).toBe(verificationPage("verified").html);
    });

    test("links that are no good count as well", async () => {
      const path = "/auth/verify-email?token=x&token=y";
      for (let count = 0; count < limit; count++)
        expect((await service.send({ method: "GET", path })).status).toBe(400);
      expect((await service.send({ method: "GET", path })).status).toBe(429);
    });
  });
});

const byEmail = (email: string) => `auth:request-reset-password:email:${email}`;
const byPhone = (phone: string) => `auth:request-otp:phone:${phone}`;

/** Addresses that hold what might mean something in a key or a pattern, and others that they might be taken for. */
const hostile = [
  "a@x.example",
  "aa@x.example",
  "*@x.example",
  "?@x.example",
  "a*@x.example",
  "{a}@x.example",
  "$1@x.example",
  "a%3ab@x.example",
  "a%00@x.example",
  "a'b@x.example",
  "a|b@x.example",
  "a/b@x.example",
  "a#b@x.example",
  "a?b@x.example",
  "auth=login@x.example",
  "a+b@x.example",
  "a+c@x.example",
  "a@x.example.org",
  "ä@x.example",
  "Ä@x.example",
  "ß@x.example",
  "ss@x.example",
  "а@x.example", // Cyrillic
  "почта@xn--e1afmkfd.example",
  `${"a".repeat(64)}@${"b".repeat(61)}.${"c".repeat(61)}.${"d".repeat(57)}.org`,
  `${"a".repeat(63)}b@${"b".repeat(61)}.${"c".repeat(61)}.${"d".repeat(57)}.org`,
];

const noEmails = ["a:b@x.example", "a@x.example:ip:203.0.113.7", "a@x.example\u0000", "", "*"];

describe.each(services)("counters in $counters", (service) => {
  beforeEach(async () => {
    await service.forget();
    await service.store({});
  });

  const reset = async (email: string) =>
    outcome(await service.send({ method: "POST", path: "/auth/request-reset-password", body: { email } }));
  const code = async (phone_number: string) =>
    outcome(await service.send({ method: "POST", path: "/auth/request-otp", body: { phone_number } }));

  // biome-ignore format: one case a line
  test.each([
    ["ann@example.com", ["ANN@Example.COM", "  ann@example.com\t", "\u00a0Ann@EXAMPLE.com\n"]],
    ["jürgen@xn--exmple-cua.de", ["ju\u0308rgen@exa\u0308mple.de", "JüRGEN@EXÄMPLE.DE", " Ju\u0308rgen@exämple.DE "]],
  ])("all spellings of %s are one counter", async (email, spellings) => {
    for (const spelling of spellings) expect(await reset(spelling)).toBe("200");
    expect(await service.counted()).toEqual({ [byEmail(email)]: limit });
    for (const spelling of [email, ...spellings]) expect(await reset(spelling)).toBe(refused);
    expect(await service.counted()).toEqual({ [byEmail(email)]: limit });
  });

  test.each([
    ["+12025550123", [" +1 (202) 555-0123 ", "+1.202.555.0123", "+1-202-555-01-23"]],
    ["+491701234567", ["+49 (0)170 1234567", "+49 170 123 45 67", "+490170-1234567"]],
  ])("all spellings of %s are one counter", async (phone, spellings) => {
    for (const spelling of spellings) expect(await code(spelling)).toBe("200");
    expect(await service.counted()).toMatchObject({ [byPhone(phone)]: limit });
    for (const spelling of [phone, ...spellings]) expect(await code(spelling)).toBe(refused);
  });

  test("different addresses have different counters, with any characters", async () => {
    for (const email of hostile) expect([email, await reset(email)]).toEqual([email, "200"]);
    expect(await service.counted()).toEqual(Object.fromEntries(hostile.map((email) => [byEmail(email), 1])));
  });

  test.each(["a@x.example", "*@x.example", "?@x.example", "a*@x.example", "a%00@x.example", "ä@x.example"])(
    "no other address is refused with %s",
    async (full) => {
      for (let count = 0; count < limit; count++) expect(await reset(full)).toBe("200");
      expect(await reset(full)).toBe(refused);
      const others = hostile.filter((email) => email !== full);
      for (const email of others) expect([email, await reset(email)]).toEqual([email, "200"]);
    },
  );

  test.each(noEmails)("%j is no address and makes no counter", async (text) => {
    expect(await reset(text)).toMatch(/^400 VALIDATION_ERROR( email)?$/);
    expect(await service.counted()).toEqual({});
  });

  test.each(["2025550123", "+1", "tel:+12025550123", "+12025550123 ext. 5", "*", "+1202555012*", ""])(
    "%j is no phone number and makes no counter",
    async (text) => {
      expect(await code(text)).toBe("400 VALIDATION_ERROR phone_number");
      expect(await service.counted()).toEqual({});
    },
  );

  test("of a key that a body has twice, the one that is used counts", async () => {
    const body = '{"email": "a@x.example", "email": "b@x.example"}';
    const headers = { "content-type": "application/json" };
    const path = "/auth/request-reset-password?email=c@x.example";
    expect(outcome(await service.send({ method: "POST", path, headers, body }))).toBe("200");
    expect(await service.counted()).toEqual({ [byEmail("b@x.example")]: 1 });
  });
});
