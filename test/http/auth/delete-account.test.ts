import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ServiceError } from "#runtime/core/errors/index";
import { dataOf, sendAs, signIn } from "../../support/account-requests.ts";
import { account, accounts, apiKey, countRows, session, storedReset } from "../../support/accounts.ts";
import { testClock } from "../../support/clock.ts";
import { mailing, resetToken } from "../../support/links.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { testSmtp } from "../../support/smtp.ts";
import { stage } from "../fixture/stage.ts";

const smtp = await testSmtp();
const clock = testClock();
/** Of fifty requests that take turns, the last one waits long on a busy machine. */
const patient = { acquireTimeoutMs: 60_000, answerTimeoutMs: 60_000 };
const settings = { ...mailing(smtp), social: { placeholderDomain: "placeholder.example" } };
const service = await testService(
  { ...settings, auth: { ...settings.auth, cookieName: "session" } },
  { now: clock.now, connecting: patient },
);

const key = apiKey(1);
const refresh = session(1);
const tokens = [refresh.row, session(2).row, key.row, storedReset(1, resetToken(1))];
const given = accounts([account(1), account(2)], tokens);
const send = (line: string, token?: string) => sendAs(service, line, token);
const remove = (token?: string) => send("DELETE /auth/me", token);
const exists = (id: number) => countRows(service, "users", `id = ${id}`);
const events = () => service.log.filter(({ msg }) => msg === "account event");

beforeEach(async () => {
  await service.settled();
  await service.store(given);
  service.log.length = 0;
});
afterEach(() => {
  Object.assign(stage, { hooks: {}, fired: [] });
});

describe("DELETE /auth/me", () => {
  test("removes the account and all that belongs to it, and no other account", async () => {
    const [token, other] = [await signIn(service, 1), await signIn(service, 2)];
    await service.query(`
      INSERT INTO auth_mfa (user_id, secret, backup_codes) VALUES (1, 'x', '[]'), (2, 'x', '[]');
      INSERT INTO auth_social (user_id, provider, uid) VALUES (1, 'google', 'a'), (2, 'google', 'b');
      INSERT INTO auth_passkeys (user_id, credential_id, public_key, counter, user_handle, transports, device_type, backed_up, aaguid, name)
        SELECT id, id, '', 0, '', '{}', 'singleDevice', false, gen_random_uuid(), 'x' FROM users;
      INSERT INTO auth_pending_changes (user_id, kind, target, expires_at) SELECT id, 'email', 'x', now() FROM users;
      UPDATE users SET phone_number = '+1202555012' || id;
      INSERT INTO auth_otp (phone_number, code_hash, expires_at) SELECT phone_number, 'x', now() FROM users;
      INSERT INTO auth_otp (email, code_hash, expires_at) SELECT email, 'x', now() FROM users;`);
    const reply = await remove(token);
    expect(dataOf(reply)).toEqual({});
    expect(reply.headers["set-cookie"]?.[0]).toMatch(/^session=;.*Expires=Thu, 01 Jan 1970/);
    const owned = [
      "auth_tokens",
      "auth_sessions",
      "auth_mfa",
      "auth_social",
      "auth_passkeys",
      "auth_pending_changes",
    ];
    for (const table of owned)
      expect([
        table,
        await countRows(service, table, "user_id = 1"),
        (await countRows(service, table, "user_id = 2")) > 0,
      ]).toEqual([table, 0, true]);
    expect(await exists(1)).toBe(0);
    expect(
      await countRows(service, "auth_otp", "phone_number = '+12025550121' OR email = 'user1@example.com'"),
    ).toBe(0);
    expect(await countRows(service, "auth_otp")).toBe(2);
    expect(outcome(await send("GET /auth/me", token))).toBe("401 TOKEN_REVOKED");
    expect(
      outcome(
        await service.send({ method: "GET", path: "/things/fetch", headers: { "x-api-key": key.key } }),
      ),
    ).toBe("401 INVALID_API_KEY");
    expect(outcome(await send("GET /auth/me", other))).toBe("200");
  });

  test("needs a recent sign-in", async () => {
    const token = await signIn(service, 1);
    clock.pass(601);
    expect(outcome(await remove(token))).toBe("403 REAUTHENTICATION_REQUIRED");
    expect(await exists(1)).toBe(1);
  });

  test("of fifty at once one succeeds", async () => {
    const token = await signIn(service, 1);
    const outcomes = (await Promise.all(Array.from({ length: 50 }, () => remove(token)))).map(outcome);
    expect(outcomes.filter((one) => one === "200")).toHaveLength(1);
    for (const one of outcomes) expect(["200", "404 NOT_FOUND", "401 TOKEN_REVOKED"]).toContain(one);
    expect(events().filter(({ event }) => event === "account.deleted")).toHaveLength(1);
  });

  test("of a service without that part of self-service does not exist", async () => {
    const other = await testService({ auth: { selfService: ["profile"] } });
    expect(outcome(await other.send({ method: "DELETE", path: "/auth/me" }))).toBe("405 HTTP_ERROR");
  });

  test("logs an event, and mails the verified address", async () => {
    const token = await signIn(service, 1);
    dataOf(await remove(token));
    await service.settled();
    expect(events()).toMatchObject([
      { event: "account.deleted", user_id: "1", actor: "user", actor_id: "1", level: 30 },
    ]);
    const mail = smtp.mails.at(-1);
    expect(mail?.to).toEqual(["user1@example.com"]);
    expect(mail?.subject).toBe("Your account was deleted at scenarios");
    expect(mail?.text).toMatch(/user1@example\.com.*Time: .*UTC/s);
    expect(mail?.text).not.toContain("http");
  });

  test.each([
    ["an address that was never verified", { is_verified: false }],
    ["a placeholder", { email: "x@placeholder.example" }],
  ])("mails nothing to %s", async (_, columns) => {
    const token = await signIn(service, 1);
    const names = Object.entries(columns).map(([name, value]) => `${name} = '${value}'`);
    await service.query(`UPDATE users SET ${names.join()} WHERE id = 1`);
    const before = smtp.mails.length;
    dataOf(await remove(token));
    await service.settled();
    expect(smtp.mails).toHaveLength(before);
  });
});

describe("rows of the app", () => {
  const withRule = async (rule: string, work: () => Promise<void>) => {
    const change = (to: string) =>
      service.query(`
      ALTER TABLE letters DROP CONSTRAINT letters_author_id_fkey;
      ALTER TABLE letters ADD CONSTRAINT letters_author_id_fkey FOREIGN KEY (author_id) REFERENCES users (id) ON DELETE ${to}`);
    await change(rule);
    try {
      await work();
    } finally {
      await change("CASCADE");
    }
  };
  const letters = {
    ...given,
    letters: [
      { id: 1, author_id: 1 },
      { id: 2, author_id: 2 },
    ],
  };

  test("go where the relation cascades, soft-deleted ones too", async () => {
    await service.store({
      ...letters,
      books: [{ id: 1, title: "x", reader_id: 1, deleted_at: "2020-01-01" }],
    });
    dataOf(await remove(await signIn(service, 1)));
    expect(await service.query("SELECT id FROM letters")).toEqual([{ id: "2" }]);
    expect(await countRows(service, "books")).toBe(0);
  });

  test.each(["RESTRICT", "NO ACTION"])("refuse where the relation is %s", async (rule) => {
    await withRule(rule, async () => {
      await service.store(letters);
      const token = await signIn(service, 1);
      const reply = await remove(token);
      expect(outcome(reply)).toBe("409 ACCOUNT_IN_USE");
      expect(reply.envelope.details).toEqual({ relations: [{ model: "letters", field: "author_id" }] });
      // Nothing has changed, the tokens neither.
      expect(await exists(1)).toBe(1);
      expect(outcome(await send("GET /auth/me", token))).toBe("200");
      expect(events()).toEqual([]);
    });
  });

  test("of a table without a model have no name", async () => {
    await service.query(
      "CREATE TABLE aside (user_id bigint REFERENCES users (id)); INSERT INTO aside VALUES (1)",
    );
    try {
      const reply = await remove(await signIn(service, 1));
      expect(outcome(reply)).toBe("409 ACCOUNT_IN_USE");
      expect(reply.envelope.details).toEqual({ relations: [] });
    } finally {
      await service.query("DROP TABLE aside");
    }
  });
});

describe("hooks", () => {
  const principal = { user_id: "1", role: "user", email: "user1@example.com" };

  test("run before and after, in the transaction, as the user", async () => {
    dataOf(await remove(await signIn(service, 1)));
    const fired = stage.fired.filter(({ hook }) => hook.endsWith("_account"));
    expect(fired.map(({ hook, value, context }) => [hook, value, context.principal])).toEqual([
      [
        "before_delete_account",
        {
          user_id: 1,
          user: expect.objectContaining({ user_id: 1, email: principal.email, phone_number: null }),
        },
        principal,
      ],
      ["after_delete_account", { user_id: 1 }, principal],
    ]);
  });

  test.each(["before_delete_account", "after_delete_account"] as const)(
    "a throw of %s refuses",
    async (hook) => {
      const token = await signIn(service, 1);
      stage.hooks = {
        [hook]: () => {
          throw new ServiceError("PERMISSION_DENIED", "Not now.");
        },
      };
      expect(outcome(await remove(token))).toBe("403 PERMISSION_DENIED");
      expect(await exists(1)).toBe(1);
      expect(outcome(await send("GET /auth/me", token))).toBe("200");
    },
  );
});

describe("the last administrator", () => {
  // biome-ignore format: one case a line
  test.each([
    ["the only admin", [["admin", true], ["user", true]], "409 LAST_ADMINISTRATOR"],
    ["an admin next to an inactive one", [["admin", true], ["admin", false]], "409 LAST_ADMINISTRATOR"],
    ["an admin next to a system account", [["admin", true], ["system", true]], "409 LAST_ADMINISTRATOR"],
    ["an admin next to a superadmin", [["admin", true], ["superadmin", true]], "200"],
    ["the only superadmin next to an admin", [["superadmin", true], ["admin", true]], "409 LAST_ADMINISTRATOR"],
    ["one of two superadmins", [["superadmin", true], ["superadmin", true]], "200"],
    ["a system account", [["system", true], ["user", true]], "200"],
  ] as const)("%s", async (_, users, expected) => {
    await service.store(accounts(users.map(([role, is_active], index) => account(index + 1, { role, is_active }))));
    expect(outcome(await remove(await signIn(service, 1)))).toBe(expected);
    expect(await exists(1)).toBe(expected === "200" ? 0 : 1);
  });

  test("of fifty administrators who leave at once one remains", async () => {
    const ids = Array.from({ length: 50 }, (_, index) => index + 1);
    await service.store(accounts(ids.map((id) => account(id, { role: "admin" }))));
    const all = await Promise.all(ids.map((id) => signIn(service, id)));
    const outcomes = (await Promise.all(all.map(remove))).map(outcome).sort();
    expect(outcomes).toEqual([...Array(49).fill("200"), "409 LAST_ADMINISTRATOR"]);
  });
});
