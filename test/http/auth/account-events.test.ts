import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ServiceError } from "#runtime/core/errors/index";
import type { AccountUpdate } from "#runtime/hooks/index";
import { account, accounts, countRows, password, session, storedReset } from "../../support/accounts.ts";
import { testClock } from "../../support/clock.ts";
import { mailing, resetToken, tokenIn } from "../../support/links.ts";
import { setUp, totp } from "../../support/mfa.ts";
import { monitoredService } from "../../support/monitoring.ts";
import { readOpenMetrics, sampleValue } from "../../support/open-metrics.ts";
import type { Reply, Sent } from "../../support/request.ts";
import { outcome } from "../../support/scenarios.ts";
import { type TestService, testService } from "../../support/service.ts";
import { claimsOf, signed } from "../../support/service-token.ts";
import { testSmtp } from "../../support/smtp.ts";
import { stage } from "../fixture/stage.ts";

const smtp = await testSmtp();
const clock = testClock();
const settings = {
  ...mailing(smtp),
  auth: { emailVerificationRequired: false },
  social: { placeholderDomain: "placeholder.example" },
};
const mailed = { ...settings.email, replyTo: "Help <help@shop.example>" };
const service = await testService({ ...settings, email: mailed }, { now: clock.now });

const email = "user1@example.com";
const wanted = "new@example.com";
const confirmed = { new_password: "Another-Horse-2?", confirm_password: "Another-Horse-2?" };
const [reset, refresh] = [resetToken(1), session(1)];
const agent = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";

const send = (line: string, body?: Sent["body"], token?: string, to: TestService = service) => {
  const [method = "", path = ""] = line.split(" ");
  const headers = {
    "user-agent": agent,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  return to.send({ method, path: `/auth/${path}`, headers, ...(body !== undefined && { body }) });
};
const dataOf = (reply: Reply) => {
  expect(outcome(reply), reply.text).toBe("200");
  return Object(reply.envelope.data);
};
const login = async (to: TestService = service): Promise<string> =>
  dataOf(await send("POST login", { email, password }, undefined, to)).accessToken;
const mailsTo = async (address: string, of: TestService = service) => {
  await of.settled();
  return smtp.mails.slice(earlier).filter(({ to }) => to.includes(address));
};
const sessionOf = (token: string) =>
  String(JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()).jti).slice(0, 36);
const stored = (columns = {}) => accounts([account(1, columns)], [refresh.row, storedReset(1, reset)]);
const events = () => service.log.filter(({ msg }) => msg === "account event");

let earlier = 0;
beforeEach(async () => {
  await service.settled();
  await service.store(stored());
  service.log.length = 0;
  earlier = smtp.mails.length;
});
afterEach(() => {
  Object.assign(stage, { hooks: {}, fired: [] });
});

const changePassword = (token: string, to = service) =>
  send("POST change-password", { current_password: password, ...confirmed }, token, to);
const resetPassword = (to = service) =>
  send("POST reset-password", { token: reset, ...confirmed }, undefined, to);
const askFor = (token: string, to = service) => send("POST change-email", { new_email: wanted }, token, to);
const confirm = async (to = service) => {
  const [mail] = await mailsTo(wanted, to);
  return send("POST change-email/confirm", { token: tokenIn(mail?.link ?? "") }, undefined, to);
};
const user = { role: "user", sub: "1" };
const enable = async (token: string) => {
  const { secret } = await setUp(service, user);
  dataOf(await send("POST verify-mfa", { code: totp(secret, clock), action: "activate" }, token));
  clock.pass(30);
  return secret;
};
const disable = async (token: string) => {
  const secret = await enable(token);
  return send("POST disable-mfa", { code: totp(secret, clock) }, token);
};

/** An act, its event, and how a link changes the event. */
interface Act {
  readonly event: string;
  readonly act: (token: string) => Promise<unknown>;
  readonly byLink?: { readonly changes: readonly string[] };
}
const changeEmail = async (token: string) => {
  await askFor(token);
  return confirm();
};
const acts: readonly Act[] = [
  { event: "password.changed", act: (token) => changePassword(token) },
  { event: "password.reset", act: () => resetPassword(), byLink: { changes: [] } },
  { event: "mfa.enabled", act: enable },
  { event: "mfa.disabled", act: disable },
  { event: "session.ended", act: (token) => login().then(() => send("DELETE sessions", undefined, token)) },
  { event: "email.change_requested", act: (token) => askFor(token) },
  { event: "email.changed", act: changeEmail, byLink: { changes: ["email"] } },
];

test.each(acts)("$event is logged once", async ({ event, act, byLink }) => {
  const token = await login();
  await act(token);
  const found = events().filter((line) => line["event"] === event);
  const bySession = { actor: "user", session_id: sessionOf(token), changes: [] };
  const actor = byLink === undefined ? bySession : { actor: "link", session_id: null, ...byLink };
  const shown = {
    ...{ level: 30, event, user_id: "1", actor_id: "1", ...actor, address: "127.0.0.1" },
    request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  };
  expect(found).toHaveLength(1);
  const { time, pid, hostname, msg, ...line } = found[0] ?? {};
  expect(line).toEqual(shown);
  expect(JSON.stringify(events())).not.toMatch(/@|ey[A-Z]/);
});

test("what changes nothing is no event", async () => {
  const token = await login();
  await service.query("DELETE FROM auth_tokens WHERE session_id IS NULL");
  expect(dataOf(await send("DELETE sessions", undefined, token))).toEqual({ ended_sessions: 0 });
  for (const [line, body] of [
    ["DELETE sessions/x", undefined],
    ["POST change-email", { new_email: email }],
    ["POST change-password", { current_password: "Wrong-Horse-1!", ...confirmed }],
    ["POST change-email/confirm", { token: "x" }],
    ["POST disable-mfa", { code: "1" }],
  ] as const)
    expect((await send(line, body, token)).status).toBeGreaterThanOrEqual(400);
  expect(events()).toEqual([]);
  expect(await mailsTo(email)).toEqual([]);
});

test("a metric counts events", async () => {
  const monitored = await monitoredService();
  await monitored.store(accounts([account(1)]));
  const count = async (event: string) =>
    sampleValue(readOpenMetrics((await monitored.ask("GET /metrics")).text), "kirak_account_events_total", {
      event,
    });
  expect([await count("session.ended"), await count("passkey.counter")]).toEqual([0, 0]);
  const [token] = [await login(monitored), await login(monitored)];
  await send("DELETE sessions", undefined, token, monitored);
  expect([await count("session.ended"), await count("passkey.counter")]).toEqual([1, 0]);
});

describe("a mail tells the verified address", () => {
  const notices = [
    ["Your password was changed", (token: string) => changePassword(token)],
    ["Your password was reset", () => resetPassword()],
    ["The second factor was turned on", (token: string) => enable(token)],
    ["The second factor was turned off", (token: string) => disable(token)],
  ] as const;

  test.each(notices)("%s", async (what, act) => {
    await act(await login());
    const mail = (await mailsTo(email)).at(-1);
    expect(mail?.subject).toBe(`${what} at scenarios`);
    const [, time = ""] = /^Time: (\d{4}-\d\d-\d\d \d\d:\d\d UTC)$/m.exec(mail?.text ?? "") ?? [];
    expect(Math.abs(clock.now() - Date.parse(time))).toBeLessThan(120_000);
    for (const part of [`${what}.`, "Device: Firefox on Linux, 127.0.0.1", mailed.replyTo])
      expect(mail?.text).toContain(part);
    expect(`${mail?.text}${mail?.html}`).not.toMatch(/https?:|href|token/);
  });

  test.each(notices)("%s: not an unverified address, and not a placeholder", async (_, act) => {
    for (const columns of [{ is_verified: false }, { email: "instagram_7@placeholder.example" }]) {
      await service.store(stored(columns));
      const { accessToken } = dataOf(await send("POST refresh-token", { refreshToken: refresh.token }));
      await act(accessToken);
      await service.settled();
      expect(smtp.mails).toHaveLength(earlier);
    }
  });

  test("of a change of the e-mail, which is the old one; the text names no new one", async () => {
    await askFor(await login());
    dataOf(await confirm());
    const [mail, ...others] = await mailsTo(email);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe("Your e-mail address was changed at scenarios");
    for (const part of ["Time: ", "Device: Firefox on Linux, 127.0.0.1", mailed.replyTo])
      expect(mail?.text).toContain(part);
    expect(`${mail?.text}${mail?.html}`).not.toMatch(/https?:|href|token|new@/);
    expect(await mailsTo(wanted)).toHaveLength(1);
  });

  test.each([
    ["unverified", { is_verified: false }],
    ["a placeholder", { email: "instagram_7@placeholder.example" }],
    ["missing", { email: null }],
  ])("of a change of the e-mail, unless the old one is %s", async (_, columns) => {
    await service.store(stored(columns));
    const { accessToken } = dataOf(await send("POST refresh-token", { refreshToken: refresh.token }));
    dataOf(await askFor(accessToken));
    dataOf(await confirm());
    await service.settled();
    expect(smtp.mails.slice(earlier).map(({ to }) => to)).toEqual([[wanted]]);
  });

  test("beyond the hourly limit too, which mails with links are held to", async () => {
    const other = await testService({ ...settings, email: { ...mailed, hourlyLimitPerRecipient: 1 } });
    await other.store(stored());
    for (let times = 0; times < 2; times++) {
      expect(outcome(await send("POST request-reset-password", { email }, undefined, other))).toBe("200");
      expect(outcome(await askFor(await login(other), other))).toBe("200");
      await other.settled();
    }
    await changePassword(await login(other), other);
    const subjects = (await mailsTo(email, other)).map(({ subject }) => subject);
    expect(subjects).toEqual([expect.stringMatching(/^Set a new/), expect.stringMatching(/was changed at/)]);
    expect(await mailsTo(wanted, other)).toHaveLength(1);
  });

  test("names no network address if sessions have none", async () => {
    const other = await testService({
      ...settings,
      auth: { ...settings.auth, storesSessionAddresses: false },
    });
    await other.store(stored());
    await changePassword(await login(other), other);
    expect((await mailsTo(email, other))[0]?.text).toContain("Device: Firefox on Linux\n");
  });

  test("only of a change of the e-mail, with security_notices off", async () => {
    const other = await testService({ ...settings, auth: { ...settings.auth, securityNotices: false } });
    await other.store(stored());
    const token = await login(other);
    await askFor(token, other);
    dataOf(await confirm(other));
    dataOf(await changePassword(token, other));
    expect(await mailsTo(wanted, other)).toHaveLength(1);
    expect((await mailsTo(email, other)).map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^Your e-mail address was changed/),
    ]);
  });

  test("without a mail provider no one, and the change is made", async () => {
    const other = await testService({ auth: settings.auth });
    await other.store(stored());
    expect(outcome(await changePassword(await login(other), other))).toBe("200");
    await other.settled();
    expect(other.log.filter(({ level }) => Number(level) > 40)).toEqual([]);
  });

  test("a mail server that refuses changes nothing in the answer; the log has a line", async () => {
    const moody = await testSmtp();
    moody.mood = "refuse";
    const other = await testService({ ...mailing(moody), auth: settings.auth });
    await other.store(stored());
    const reply = await changePassword(await login(other), other);
    expect(outcome(reply)).toBe("200");
    await other.settled();
    const failures = other.log.filter(({ msg }) => String(msg).includes("[ACCOUNT_NOTICE]"));
    expect(failures).toMatchObject([{ level: 50, request_id: reply.headers["x-request-id"] }]);
  });
});

describe("hooks of a confirmed e-mail", () => {
  const changeWith = async (hooks: typeof stage.hooks) => {
    await askFor(await login());
    Object.assign(stage, { hooks, fired: [] });
    return confirm();
  };
  const isNow = (address: string) => countRows(service, "users", `email = '${address}' AND is_verified`);
  const update: AccountUpdate = { user_id: 1, changes: { email: wanted } };

  test("run in the transaction, with the account as principal", async () => {
    dataOf(
      await changeWith({
        after_update_account: async (_, { transaction }) => {
          await transaction("ledger").insert({ hooked_name: "a hook was here" });
        },
      }),
    );
    expect(stage.fired.map(({ hook, value, context }) => [hook, value, context.principal])).toEqual([
      ["before_update_account", update, { user_id: "1", role: "user", email }],
      ["after_update_account", update, { user_id: "1", role: "user", email: wanted }],
    ]);
    expect(await countRows(service, "ledger")).toBe(1);
  });

  test.each(["before_update_account", "after_update_account"] as const)(
    "%s refuses by a throw",
    async (hook) => {
      const refuse = () => {
        throw new ServiceError("PERMISSION_DENIED", "Ask your administrator.");
      };
      expect(outcome(await changeWith({ [hook]: refuse }))).toBe("403 PERMISSION_DENIED");
      expect(await isNow(email)).toBe(1);
      expect(events().map(({ event }) => event)).toEqual(["email.change_requested"]);
      stage.hooks = {};
      expect(outcome(await confirm())).toBe("200");
    },
  );

  test("cannot replace the address that was confirmed", async () => {
    dataOf(
      await changeWith({
        before_update_account: (value) => ({ ...value, changes: { email: "eve@example.com" } }),
      }),
    );
    expect(await isNow(wanted)).toBe(1);
  });
});

test("a token without a session is recorded without one", async () => {
  await login();
  const token = signed(claimsOf({ role: "user", sub: "1" }));
  dataOf(await send("DELETE sessions", undefined, token));
  expect(events()).toMatchObject([{ event: "session.ended", session_id: null, actor_id: "1" }]);
});
