import { beforeEach, describe, expect, test } from "vitest";
import { limit, limitedServices } from "../../support/limited-service.ts";
import { outcome } from "../../support/scenarios.ts";
import { testSms } from "../../support/sms.ts";

const sms = await testSms();
const services = await limitedServices({ sms: sms.settings });

const byEmail = (email: string) => `auth:request-reset-password:email:${email}`;
const byPhone = (phone: string) => `auth:request-otp:phone:${phone}`;
const refused = "429 RATE_LIMIT_EXCEEDED";

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

const noEmails = [
  `${"a".repeat(64)}@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(63)}.${"e".repeat(62)}`,
  "a:b@x.example",
  "a[b@x.example",
  "a]@x.example",
  "a\\b@x.example",
  '"a"@x.example',
  '"a:b"@x.example',
  "a..b@x.example",
  "a@x.example:ip:203.0.113.7",
  "a@[203.0.113.7]",
  "a@x.example,b@x.example",
  "a@x.example\u0000",
  "a@x.example\nb",
  "a b@x.example",
  "a@x.example*",
  `${"a".repeat(65)}@x.example`,
  `a@${"b.".repeat(200)}example`,
  "",
  "*",
];

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

  test("addresses that differ have counters that differ, whatever stands in them", async () => {
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
