import { beforeEach, describe, expect, test } from "vitest";
import { dataOf, sendAs, signIn } from "../../support/account-requests.ts";
import { account, accounts, apiKey, countRows, password } from "../../support/accounts.ts";
import { testClock } from "../../support/clock.ts";
import { eventually } from "../../support/eventually.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { tokenOf } from "../../support/service-token.ts";

const clock = testClock();
const service = await testService({}, { now: clock.now });
const key = apiKey(1, { name: "till" });
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/);
const given = {
  ...accounts(
    [
      account(1, { first_name: "Ann", phone_number: "+12025550123", nickname: "ann", budget: "10.50" }),
      account(2),
    ],
    [key.row],
  ),
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
const send = (token?: string, method = "GET") => sendAs(service, `${method} /auth/export`, token);
const events = () => service.log.filter(({ msg }) => msg === "account event");

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
        VALUES (1, 'credential', 'public', 7, 'stored-handle', '{internal,hybrid}', 'multiDevice', true, '00000000-0000-0000-0000-000000000000', 'Phone')`);
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
          // Columns of the app that the owner reads: not "points", "level", "badge" and "pin".
          ...{ handle: null, settings: null, nickname: "ann", budget: "10.50" },
        },
        sessions: [expect.objectContaining({ signed_in_with: ["password"], address: "127.0.0.1" })],
        providers: [
          {
            ...{ provider: "google", title: "google", email: "ann@gmail.example" },
            ...{ linked_at: moment, last_used_at: null },
          },
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
    expect(reply.text).not.toMatch(/sealed|hash|\$2b\$|"public"|stored-handle|credential"|"uid"/);
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
    expect(events()).toMatchObject([{ event: "account.exported", user_id: "1", actor: "user", level: 30 }]);
  });

  test("HEAD is the head of the file, and no export", async () => {
    const token = await signIn(service, 1);
    const { status, text, headers } = await send(token, "HEAD");
    expect([status, text]).toEqual([200, ""]);
    expect(headers["content-disposition"]).toBe('attachment; filename="account-1.json"');
    expect(events()).toEqual([]);
    clock.pass(601);
    expect((await send(token, "HEAD")).status).toBe(403);
  });

  test("an error is no file", async () => {
    const reply = await send();
    expect(reply.headers).not.toHaveProperty("content-disposition");
  });

  describe("with a table that is locked", () => {
    /** Runs `work` while exports wait for the rows of `letters`. */
    const whileLetters = async (work: (lock: (sql: string) => Promise<unknown>) => Promise<unknown>) => {
      await service.pool.transaction(async (transaction) => {
        const run = (text: string) => transaction.run({ name: null, text }, []);
        await run("lock table letters in access exclusive mode");
        await work(run);
      });
    };
    const waiting = (count: number) =>
      eventually(async () =>
        expect(await countRows(service, "pg_locks", "NOT granted AND relation = 'letters'::regclass")).toBe(
          count,
        ),
      );

    test("shows one moment: that of its begin", async () => {
      const token = await signIn(service, 1);
      let reply = send();
      await whileLetters(async (run) => {
        reply = send(token);
        await waiting(1);
        await run("insert into letters (author_id, text) values (1, 'later')");
      });
      const { models } = dataOf(await reply);
      expect(models.letters).toHaveLength(1);
      expect(dataOf(await send(token)).models.letters).toHaveLength(2);
    });

    test("a third one at once is refused, and is no event", async () => {
      const token = await signIn(service, 1);
      let both: ReturnType<typeof send>[] = [];
      await whileLetters(async () => {
        both = [send(token), send(token)];
        await waiting(2);
        const third = await send(token);
        expect([outcome(third), third.headers["retry-after"]]).toEqual(["503 HTTP_ERROR", "1"]);
        expect(events()).toHaveLength(2);
      });
      expect((await Promise.all(both)).map(outcome)).toEqual(["200", "200"]);
      expect(outcome(await send(token))).toBe("200");
    });

    test("clients that leave make place", async () => {
      const token = await signIn(service, 1);
      await service.query(
        `INSERT INTO books (title, reader_id, meta) SELECT 'x', 1, to_json(repeat('x', 5000)) FROM generate_series(1, 5000)`,
      );
      const leaving = new AbortController();
      const options = { headers: { authorization: `Bearer ${token}` }, signal: leaving.signal };
      const begun = await Promise.all([1, 2].map(() => fetch(`${service.origin}/auth/export`, options)));
      expect(begun.map(({ status }) => status)).toEqual([200, 200]);
      expect(outcome(await send(token))).toBe("503 HTTP_ERROR");
      leaving.abort();
      await eventually(async () => expect(outcome(await send(token))).toBe("200"));
    });
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
