import { beforeEach, describe, expect, test } from "vitest";
import { dataOf, sendAs, signIn } from "../../support/account-requests.ts";
import { account, accounts, apiKey, password } from "../../support/accounts.ts";
import { testClock } from "../../support/clock.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { tokenOf } from "../../support/service-token.ts";

const clock = testClock();
const service = await testService({}, { now: clock.now });
const key = apiKey(1, { name: "till" });
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/);
const given = {
  ...accounts([account(1, { first_name: "Ann", phone_number: "+12025550123" }), account(2)], [key.row]),
  letters: [
    { id: 1, text: "mine", author_id: 1 },
    { id: 2, text: "of another", author_id: 2 },
  ],
  books: [
    { id: 1, title: "mine", reader_id: 1 },
    { id: 2, title: "a draft", reader_id: 1, draft: true },
    { id: 3, title: "deleted", reader_id: 1, deleted_at: "2020-01-01" },
    { id: 4, title: "of another", reader_id: 2 },
    { id: 5, title: "of no one" },
  ],
};
const send = (token?: string) => sendAs(service, "GET /auth/export", token);

beforeEach(async () => {
  await service.store(given);
  service.log.length = 0;
});

describe("GET /auth/export", () => {
  test("is a file with the account and the rows that refer to it", async () => {
    const token = await signIn(service, 1);
    await service.query(`
      INSERT INTO auth_social (user_id, provider, uid, extra_data, provider_email) VALUES (1, 'google', 'uid', 'sealed', 'ann@gmail.example');
      INSERT INTO auth_mfa (user_id, secret, backup_codes) VALUES (1, 'sealed', '["hash"]');
      INSERT INTO auth_passkeys (user_id, credential_id, public_key, counter, user_handle, transports, device_type, backed_up, aaguid, name)
        VALUES (1, 'credential', 'public', 7, 'handle', '{internal,hybrid}', 'multiDevice', true, '00000000-0000-0000-0000-000000000000', 'Phone')`);
    const reply = await send(token);
    const { models, ...rest } = dataOf(reply);
    expect(rest).toEqual({
      exported_at: moment,
      account: {
        user: {
          user_id: 1,
          email: "user1@example.com",
          role: "user",
          first_name: "Ann",
          last_name: null,
          is_verified: true,
          is_active: true,
          created_at: moment,
          last_login_at: moment,
          phone_number: "+12025550123",
        },
        sessions: [expect.objectContaining({ signed_in_with: ["password"], address: "127.0.0.1" })],
        providers: [
          { provider: "google", email: "ann@gmail.example", linked_at: moment, last_used_at: null },
        ],
        passkeys: [
          {
            id: expect.any(Number),
            name: "Phone",
            device_type: "multiDevice",
            backed_up: true,
            transports: ["internal", "hybrid"],
            aaguid: "00000000-0000-0000-0000-000000000000",
            created_at: moment,
            last_used_at: null,
          },
        ],
        api_keys: [expect.objectContaining({ name: "till", key_prefix: key.prefix })],
      },
      truncated: [],
    });
    expect(models).toMatchObject({ letters: [{ id: 1, text: "mine" }], books: [{ id: 1, title: "mine" }] });
    expect(models.books).toHaveLength(1);
    expect(reply.headers["content-disposition"]).toBe('attachment; filename="account-1.json"');
    expect(reply.headers["cache-control"]).toBe("no-store");
    expect(reply.text).not.toMatch(/sealed|hash|\$2b\$|"public"|handle|credential"|"uid"/);
    expect(reply.text).not.toContain(key.hash);
  });

  test("leaves out models that the role cannot fetch, and fields that it cannot read", async () => {
    await service.query("UPDATE users SET role = 'visitor' WHERE id = 1");
    const nothing = dataOf(await send(await signIn(service, 1)));
    expect(Object.keys(nothing.models)).not.toContain("letters");
    await service.query("UPDATE users SET role = 'staff' WHERE id = 1");
    const { models } = dataOf(await send(await signIn(service, 1)));
    expect(models.books).toHaveLength(2);
    const asRows = dataOf(
      await sendAs(service, "GET /books/fetch?reader_id=1", tokenOf({ role: "staff", sub: "1" })),
    );
    expect(models.books).toEqual(asRows);
  });

  test("has all rows of several pages in order, and at most 10,000 of a model", async () => {
    await service.query(
      `INSERT INTO letters (author_id, text) SELECT 1, n FROM generate_series(1, 9999) AS n`,
    );
    const token = await signIn(service, 1);
    const whole = dataOf(await send(token));
    expect([whole.models.letters.length, whole.truncated]).toEqual([10_000, []]);
    const ids: number[] = whole.models.letters.map(({ id }: { id: number }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    await service.query("INSERT INTO letters (author_id, text) VALUES (1, 'one more')");
    const cut = dataOf(await send(token));
    expect([cut.models.letters.length, cut.truncated]).toEqual([10_000, ["letters"]]);
  });

  test("needs a recent sign-in and an access token", async () => {
    const token = await signIn(service, 1);
    clock.pass(601);
    expect(outcome(await send(token))).toBe("403 REAUTHENTICATION_REQUIRED");
    expect(outcome(await send(tokenOf({ role: "user", sub: "1" })))).toBe("403 REAUTHENTICATION_REQUIRED");
    expect(outcome(await send())).toBe("401 MISSING_TOKEN");
    const withKey = { method: "GET", path: "/auth/export", headers: { "x-api-key": key.key } };
    expect(outcome(await service.send(withKey))).toBe("401 MISSING_TOKEN");
  });

  test("logs an event without data", async () => {
    dataOf(await send(await signIn(service, 1)));
    const events = service.log.filter(({ msg }) => msg === "account event");
    expect(events).toMatchObject([{ event: "account.exported", user_id: "1", actor: "user", level: 30 }]);
  });

  test("is counted by user", async () => {
    const limited = await testService({ rateLimit: { enabled: true, defaultMaxRequests: 1 } });
    await limited.store(given);
    const body = { email: "user1@example.com", password };
    const { accessToken: token } = dataOf(await sendAs(limited, "POST /auth/login", undefined, body));
    const outcomes = [];
    for (let n = 0; n < 2; n++) outcomes.push(outcome(await sendAs(limited, "GET /auth/export", token)));
    expect(outcomes).toEqual(["200", "429 RATE_LIMIT_EXCEEDED"]);
  });

  test("without that part of self-service does not exist", async () => {
    const other = await testService({ authPrefix: "/members", auth: { selfService: ["delete"] } });
    expect(outcome(await other.send({ method: "GET", path: "/members/export" }, "user"))).toBe(
      "404 NOT_FOUND",
    );
  });
});
