import bcrypt from "bcrypt";
import { describe, expect, test } from "vitest";
import { ServiceError } from "#runtime/core/errors/index";
import { account, accounts, countRows, password } from "../../support/accounts.ts";
import { claimsIn, mailing } from "../../support/links.ts";
import { expectRows, perform, type Scenario, scenarios } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { testSmtp } from "../../support/smtp.ts";
import { type StagedHooks, stage } from "../fixture/stage.ts";

const smtp = await testSmtp();
const service = await testService(mailing(smtp));

type Plays = StagedHooks;

const body = { email: " Ann@example.com", password, first_name: "Ann" };
const register = (name: string, plays: Plays, rest: Partial<Scenario> = {}): Scenario => ({
  name,
  send: "POST /auth/register",
  body,
  plays,
  ...rest,
});
const nothing = { users: [], auth_tokens: [], ledger: [] };
/** A hook that writes through its transaction. */
const note = async (_: unknown, { transaction }: Parameters<NonNullable<Plays["after_login"]>>[1]) => {
  await transaction("ledger").insert({ hooked_name: "a hook was here" });
};
const noted = [{ hooked_name: "a hook was here" }];
/** What a hook answers whose types were cast away: no envelope. */
const noAnswers: readonly unknown[] = [
  {},
  null,
  5,
  { message: "hello" },
  { data: {} },
  { message: 1, data: {} },
];
/** As plain JavaScript would do it. */
const sneak = (values: object) => (value: object) => void Object.assign(value, values);
const fail = () => {
  throw new Error("a bug of the app");
};
const refuse = () => {
  throw new ServiceError("PERMISSION_DENIED", "By invitation only.", { field: "invitation" });
};

describe("before_register", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    register("fires before after_register", {}, { hooks: ["before_register", "after_register"] }),
    register(
      "fills in the app's own columns",
      { before_register: (value) => ({ ...value, handle: "ann", points: 42, settings: { dark: true }, born_at: "2000-01-01T00:00:00+01:00" }) },
      { rows: { users: [{ handle: "ann", points: 42, settings: { dark: true }, born_at: expect.stringMatching(/^1999-12-31T23:00:00/), first_name: "Ann" }],
        },
      },
    ),
    register(
      "changes in place",
      { before_register(value) {
          value.email = "  EVE@example.com";
          value.last_name = "Eve";
        },
      },
      { rows: { users: [{ email: "eve@example.com", last_name: "Eve" }] } },
    ),
    ...["signed_in", "*"].map((role) =>
      register(`cannot give the role ${role}`, { before_register: sneak({ role }) }, { rows: { users: [{ role: "user" }] } }),
    ),
    register(
      "cannot set what is the service's own",
      { before_register: sneak({ role: "admin", is_verified: true, is_active: false, last_login_at: "2026-01-01", phone_number: "+4930123456" }) },
      { rows: { users: [{ role: "user", is_verified: false, is_active: true, last_login_at: null, phone_number: null }] } },
    ),
    ...(
      [
        ["handle", { handle: "No Handle" }],
        ["points", { points: 100 }],
        ["points", { points: "7" }],
        ["born_at", { born_at: "soon" }],
        ["first_name", { first_name: "x".repeat(256) }],
        ["email", { email: "ann@example.com,eve@example.com" }],
        ["email", { email: null }],
        ["password", { password: null }],
        ["unknown", { unknown: 1 }],
        ["id", { id: 1 }],
        ["created_at", { created_at: "2026-01-01" }],
      ] as const
    ).map(([field, values]) =>
      register(
        `returns ${JSON.stringify(values).slice(0, 60)}`,
        { before_register: sneak(values) },
        { fails: `400 VALIDATION_ERROR ${field}`, rows: nothing },
      ),
    ),
    register("returns a weak password", { before_register: sneak({ password: "weak" }) }, { fails: "400 WEAK_PASSWORD password", rows: nothing }),
    register(
      "returns a handle that is taken",
      { before_register: sneak({ handle: "taken" }) },
      { given: accounts([account(1, { handle: "taken" })]), fails: "400 VALIDATION_ERROR handle", rows: { users: [{}] } },
    ),
    register(
      "returns an address that is taken",
      { before_register: sneak({ email: "user1@example.com" }) },
      { given: accounts([account(1)]), fails: "409 EMAIL_ALREADY_EXISTS email", hooks: ["before_register"], rows: { users: [{}] } },
    ),
    register(
      "throws a ServiceError",
      { before_register: refuse },
      { fails: "403 PERMISSION_DENIED invitation", hooks: ["before_register"], rows: nothing },
    ),
    register("throws anything else", { before_register: fail }, { fails: "500 INTERNAL_ERROR", rows: nothing }),
    register("is not told of a body that does not fit", {}, { body: { ...body, password: "weak" }, fails: "400 WEAK_PASSWORD password", hooks: [] }),
    register("writes in the transaction", { before_register: note }, { rows: { ledger: noted, users: [{}] } }),
    register(
      "what it wrote is undone with the registration",
      { before_register: note },
      { given: accounts([account(1, { email: "ann@example.com" })]), fails: "409 EMAIL_ALREADY_EXISTS email", rows: { ledger: [] } },
    ),
    register(
      "may catch a failed statement in a savepoint of its own",
      { async before_register(_, { transaction }) { await transaction.transaction((inner) => inner.raw("SELECT 1/0")).catch(() => {}); } },
      { rows: { users: [{}] } },
    ),
  ]);

  test("is given the registration as it will be stored, and a guest", async () => {
    const reply = await perform(service, register("", {}));
    const [fired] = stage.fired;
    expect(fired?.value).toEqual({
      email: "ann@example.com",
      password,
      phone_number: null,
      first_name: "Ann",
      last_name: null,
    });
    expect(fired?.context.principal).toEqual({ user_id: null, role: "guest", email: null });
    expect(fired?.context.request_id).toBe(reply.headers["x-request-id"]);
  });

  test("more of them than connections do not block each other", async () => {
    await service.store({});
    stage.hooks = { before_register: note };
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        service.send({
          method: "POST",
          path: "/auth/register",
          body: { email: `user${index % 30}@example.com`, password },
          // One address has 8 places in the queue of passwords.
          from: `127.0.0.${1 + (index % 8)}`,
        }),
      ),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(30);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(10);
    expect(await countRows(service, "ledger")).toBe(30);
  });

  test("hashes every password column", async () => {
    await perform(
      service,
      register("", { before_register: sneak({ pin: "1234", password: "Other-Horse-12!" }) }),
    );
    const [row] = await service.query("SELECT pin, password FROM users");
    expect(await bcrypt.compare("1234", String(row?.["pin"]))).toBe(true);
    expect(await bcrypt.compare("Other-Horse-12!", String(row?.["password"]))).toBe(true);
  });
});

describe("after_register", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    register(
      "changes only the response",
      { after_register: (result) => ({ ...result, message: "welcome", data: { ...result.data, extra: 1 } }) },
      { data: { user: expect.objectContaining({ email: "ann@example.com" }), verification_email_sent: true, extra: 1 },
        rows: { users: [{ email: "ann@example.com", role: "user" }] },
      },
    ),
    register(
      "cannot change where the mail goes",
      { after_register({ data }) { data.user.email = "eve@example.com"; } },
      { data: { user: expect.objectContaining({ email: "eve@example.com" }), verification_email_sent: true } },
    ),
    register("writes in the transaction", { after_register: note }, { rows: { ledger: noted } }),
    register(
      "throws a ServiceError",
      { before_register: note, after_register: refuse },
      { fails: "403 PERMISSION_DENIED invitation", rows: nothing },
    ),
    register("throws anything else", { after_register: fail }, { fails: "500 INTERNAL_ERROR", rows: nothing }),
    ...noAnswers.map((answer) =>
      register(
        `returns ${JSON.stringify(answer)}, which is no answer`,
        { after_register: () => answer as never },
        { fails: "500 INTERNAL_ERROR", rows: nothing },
      ),
    ),
    register(
      "a statement of it fails",
      { async after_register(_, { transaction }) { await transaction.raw("SELECT 1/0"); } },
      { fails: "500 INTERNAL_ERROR", rows: nothing },
    ),
    register(
      "a statement of it fails and is caught: the transaction is lost all the same",
      { async after_register(_, { transaction }) { await transaction.raw("SELECT 1/0").catch(() => {}); } },
      { fails: "500 INTERNAL_ERROR", rows: nothing },
    ),
  ]);

  test("is given the envelope, sees the new row, and the caller is the user", async () => {
    let seen: unknown;
    const reply = await perform(
      service,
      register("", {
        async after_register({ data }, { transaction }) {
          if ("user_id" in data.user)
            seen = await transaction("users").where("id", data.user.user_id).first("email");
        },
      }),
    );
    expect(seen).toEqual({ email: "ann@example.com" });
    const fired = stage.fired[1];
    expect(fired?.value).toEqual(reply.envelope);
    const { user } = reply.envelope.data as { user: { user_id: number } };
    expect(fired?.context.principal).toEqual({
      user_id: String(user.user_id),
      role: "user",
      email: "ann@example.com",
    });
  });

  test("no mail goes out for a registration that it undoes", async () => {
    const before = smtp.mails.length;
    await perform(
      service,
      register("", { after_register: refuse }, { fails: "403 PERMISSION_DENIED invitation" }),
    );
    expect(smtp.mails.length).toBe(before);
  });

  test("what it makes of the answer does not hide that the mail was not sent", async () => {
    smtp.mood = "refuse";
    const reply = await perform(
      service,
      register("", { after_register: (result) => ({ ...result, message: "welcome" }) }),
    );
    smtp.mood = "accept";
    expect(reply.envelope).toMatchObject({ message: "welcome", data: { verification_email_sent: false } });
  });
});

describe("after_login", () => {
  const login = (name: string, plays: Plays, rest: Partial<Scenario> = {}): Scenario => ({
    name,
    given: accounts([account(1)]),
    send: "POST /auth/login",
    body: { email: "user1@example.com", password },
    plays,
    ...rest,
  });
  const unsigned = { rows: { auth_tokens: [], ledger: [], users: [{ last_login_at: null }] } };

  // biome-ignore format: one case a line
  scenarios(service, [
    login("fires", {}, { hooks: ["after_login"], rows: { auth_tokens: [{ user_id: 1 }] } }),
    login("writes in the transaction", { after_login: note }, { rows: { ledger: noted } }),
    login("throws a ServiceError: the user is not signed in", { after_login: refuse }, { fails: "403 PERMISSION_DENIED invitation", ...unsigned }),
    login("throws anything else", { after_login: fail }, { fails: "500 INTERNAL_ERROR", ...unsigned }),
    ...noAnswers.map((answer) =>
      login(
        `returns ${JSON.stringify(answer)}, which is no answer`,
        { after_login: () => answer as never },
        { fails: "500 INTERNAL_ERROR", ...unsigned },
      ),
    ),
    login(
      "a wrong password does not fire it",
      {},
      { body: { email: "user1@example.com", password: "Wrong-Horse-1!" }, fails: "401 INVALID_CREDENTIALS", hooks: [] },
    ),
    { ...login("a refresh does not fire it", {}),
      send: "POST /auth/refresh-token",
      body: { refreshToken: "x" },
      fails: "401 INVALID_TOKEN",
      hooks: [],
    },
  ]);

  test("changes the answer, and not the claims", async () => {
    const reply = await perform(
      service,
      login("", {
        after_login(result) {
          result.data.user.role = "admin";
          result.message = "hello";
        },
      }),
    );
    const { user, accessToken } = reply.envelope.data as { user: object; accessToken: string };
    expect(reply.envelope.message).toBe("hello");
    expect(user).toMatchObject({ role: "admin" });
    expect(claimsIn(accessToken)).toMatchObject({ sub: "1", role: "user" });
    // biome-ignore format: many a line
    expect(Object.keys(claimsIn(accessToken)).sort()).toEqual([
      "email", "exp", "iat", "jti", "role", "sub", "type",
    ]);
    expect(stage.fired[0]?.context.principal).toEqual({
      user_id: "1",
      role: "user",
      email: "user1@example.com",
    });
    await expectRows(service, "users", [{ role: "user" }]);
  });

  test("the cookie holds the token itself, even if the hook changes the response", async () => {
    const cookies = await testService({ auth: { cookieName: "session" } });
    const reply = await perform(
      cookies,
      login("", {
        after_login(result) {
          result.data.accessToken = "hidden";
        },
      }),
    );
    expect(reply.envelope.data).toMatchObject({ accessToken: "hidden" });
    expect(reply.headers["set-cookie"]?.[0]).toMatch(/^session=eyJ/);
    expect(await countRows(cookies, "auth_tokens")).toBe(1);
  });

  test("what is no JSON is answered without a cookie", async () => {
    const cookies = await testService({ auth: { cookieName: "session" } });
    const reply = await perform(
      cookies,
      login(
        "",
        {
          after_login(result) {
            Object.assign(result.data, { self: result });
          },
        },
        { fails: "500 INTERNAL_ERROR" },
      ),
    );
    expect(reply.headers["set-cookie"]).toBeUndefined();
  });
});
