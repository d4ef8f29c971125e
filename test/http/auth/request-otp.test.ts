import { beforeEach, describe, expect, test } from "vitest";
import { account, accounts, countRows } from "../../support/accounts.ts";
import { outcome, type Scenario, scenarios } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { testSms } from "../../support/sms.ts";

const sms = await testSms();
const service = await testService({ name: "Bookshop", sms: sms.settings });
const phone = "+12025550123";

beforeEach(() => {
  sms.sent.length = 0;
  sms.status = 200;
});

const request = (phone_number: Scenario["body"], rest: Partial<Scenario> = {}): Scenario => ({
  name: JSON.stringify(phone_number),
  send: "POST /auth/request-otp",
  body: JSON.parse(JSON.stringify({ phone_number })),
  ...rest,
});
const stored = (phone_number: string) => ({
  data: {},
  rows: {
    auth_otp: [{ phone_number, attempts: 0, code_hash: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    users: [],
  },
});
const refused = { fails: "400 VALIDATION_ERROR phone_number", rows: { auth_otp: [] } };

describe("POST /auth/request-otp", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    request(phone, stored(phone)),
    request(" +1 (202) 555-0123 ", stored(phone)),
    request("+1.202.555.0123", stored(phone)),
    request("+49 (0)170 1234567", stored("+491701234567")),
    request(phone, { name: "with a stale token", headers: { authorization: "Bearer stale" }, ...stored(phone) }),
    request("2025550123", refused),
    request("+1202CALLME1", refused),
    request("+12025550123,+12025550124", refused),
    request("+12025550123\nSubject", refused),
    request("", refused),
    request(undefined, refused),
    request(null, refused),
    request(12025550123, refused),
    request([phone], refused),
    request(phone, { name: "an unknown key", body: { phone_number: phone, otp: "1" }, fails: "400 VALIDATION_ERROR otp" }),
  ]);

  test("sends six digits, and names the service", async () => {
    await service.store({});
    await service.send({ method: "POST", path: "/auth/request-otp", body: { phone_number: phone } });
    expect(sms.sent).toEqual([
      {
        to: phone,
        text: expect.stringMatching(/^\d{6} is your code for Bookshop\. It is valid for 5 minutes\.$/),
      },
    ]);
    const code = sms.codeOf(phone);
    const life = "expires_at BETWEEN now() + interval '4 minutes 50 s' AND now() + interval '5 minutes 1 s'";
    expect(await countRows(service, "auth_otp", life)).toBe(1);
    const [row] = await service.query("SELECT to_jsonb(t) - 'id' AS row FROM auth_otp AS t");
    expect(JSON.stringify(row)).not.toContain(code);
    expect(JSON.stringify(service.log)).not.toContain(phone.slice(1));
  });

  test("answers the same without an account and for accounts in every state", async () => {
    const phones = [phone, "+12025550124", "+12025550125"];
    await service.store(
      accounts([
        account(1, { phone_number: phone }),
        account(2, { phone_number: phones[1], is_active: false }),
      ]),
    );
    const texts: string[] = [];
    for (const phone_number of phones)
      texts.push(
        (await service.send({ method: "POST", path: "/auth/request-otp", body: { phone_number } })).text,
      );
    expect(new Set(texts).size).toBe(1);
    expect(sms.sent.map(({ to }) => to)).toEqual(phones);
  });

  test("a provider that fails: 503, and the log holds neither number nor code", async () => {
    await service.store({});
    sms.status = 500;
    const body = { phone_number: phone };
    const reply = await service.send({ method: "POST", path: "/auth/request-otp", body });
    expect(outcome(reply)).toBe("503 HTTP_ERROR");
    const log = service.log.filter(({ msg }) => msg === "a one-time code could not be sent");
    expect(log).toEqual([
      expect.objectContaining({
        level: 50,
        request_id: reply.headers["x-request-id"],
        err: expect.anything(),
      }),
    ]);
    expect(JSON.stringify(service.log)).not.toContain("2025550123");
  });
});

describe("without a provider", async () => {
  const silent = await testService();
  scenarios(silent, [request(phone, { fails: "503 HTTP_ERROR", rows: { auth_otp: [] } })]);
});
