import { beforeEach, describe, expect, test } from "vitest";
import { changeEmailPage } from "#runtime/modules/auth/http/pages/link-pages";
import {
  account,
  accounts,
  apiKey,
  countRows,
  password,
  session,
  storedReset,
} from "../../support/accounts.ts";
import { testClock } from "../../support/clock.ts";
import { claimsIn, mailing, resetToken, signing, tokenIn, verificationToken } from "../../support/links.ts";
import { type Reply, requestOf, type Sent } from "../../support/request.ts";
import { outcome } from "../../support/scenarios.ts";
import { type TestService, testService } from "../../support/service.ts";
import { tokenOf } from "../../support/service-token.ts";
import { testSmtp } from "../../support/smtp.ts";
import { inTurn, waiting } from "../../support/turns.ts";
import { watchedDatabase } from "../../support/watched-database.ts";

const smtp = await testSmtp();
const clock = testClock();
const settings = { ...mailing(smtp), social: { placeholderDomain: "placeholder.example" } };
const service = await testService(settings, { now: clock.now });

const old = "user1@example.com";
const wanted = "new@example.com";
const taken = "user2@example.com";
const invalidLink = "400 INVALID_LINK";
const confirmed = { new_password: "Another-Horse-2?", confirm_password: "Another-Horse-2?" };
const [reset, refresh] = [resetToken(1), session(1)];

const send = (line: string, body?: Sent["body"], token?: string, to: TestService = service) => {
  const [method = "", path = ""] = line.split(" ");
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return to.send({ method, path: `/auth/${path}`, headers, ...(body !== undefined && { body }) });
};
const dataOf = (reply: Reply) => {
  expect(outcome(reply), reply.text).toBe("200");
  return Object(reply.envelope.data);
};
const login = async (email = old, to: TestService = service): Promise<string> =>
  dataOf(await send("POST login", { email, password }, undefined, to)).accessToken;
const change = (token: string, new_email = wanted, to: TestService = service) =>
  send("POST change-email", { new_email }, token, to);
const confirm = (token: string, to: TestService = service) =>
  send("POST change-email/confirm", { token }, undefined, to);
const withdraw = (token: string) => send("DELETE change-email", undefined, token);
/** The last mail to an address. */
const mailTo = async (email: string, of: TestService = service) => {
  await of.settled();
  const mail = smtp.mails.findLast(({ to }) => to.includes(email));
  if (mail === undefined) throw new Error(`there is no mail to ${email}`);
  return mail;
};
/** Asks for a change, and returns the token of the mailed link. */
const linkFor = async (token: string, new_email = wanted) => {
  dataOf(await change(token, new_email));
  return tokenIn((await mailTo(new_email)).link);
};
const isNow = (email: string | null, condition = "true") =>
  countRows(
    service,
    "users",
    `id = 1 AND email IS NOT DISTINCT FROM ${email === null ? "NULL" : `'${email}'`} AND ${condition}`,
  );
const pending = (condition = "true") => countRows(service, "auth_pending_changes", condition);
const given = accounts([account(1, { first_name: "Ann" }), account(2)], [refresh.row, storedReset(1, reset)]);

beforeEach(async () => {
  await service.settled();
  await service.store(given);
});

describe("a change of the e-mail", () => {
  test("takes effect when the owner of the new address confirms it", async () => {
    const token = await login();
    const { expires_at, ...rest } = dataOf(await change(token, " NEW@example.com"));
    expect(rest).toEqual({});
    expect(Math.ceil((Date.parse(expires_at) - clock.now()) / 1000)).toBe(24 * 60 * 60);
    const mail = await mailTo(wanted);
    expect(mail.subject).toMatch(/^Confirm your new e-mail address for /);
    expect(mail.text).toMatch(/^Hello Ann,\n.*new@example\.com.*24 hours/s);
    expect(mail.link).toMatch(/^http:\/\/localhost:3000\/auth\/change-email\?token=[^&]+$/);
    const link = tokenIn(mail.link);
    expect(await isNow(old)).toBe(1);

    expect(dataOf(await confirm(link))).toEqual({ email: wanted });
    expect(await isNow(wanted, "is_verified")).toBe(1);
    expect(await pending()).toBe(0);
    expect(outcome(await confirm(link))).toBe(invalidLink);
    // Sessions stay, with the claim from before.
    expect(dataOf(await send("GET me", undefined, token)).email).toBe(wanted);
    expect(claimsIn(token)["email"]).toBe(old);
    const renewed = dataOf(await send("POST refresh-token", { refreshToken: refresh.token }));
    expect(claimsIn(renewed.accessToken)["email"]).toBe(wanted);
    expect(outcome(await send("POST login", { email: old, password }))).toBe("401 INVALID_CREDENTIALS");
    expect(await login(wanted)).toMatch(/^ey/);
    await service.settled();
    expect(JSON.stringify(service.log)).not.toContain(link);
  });

  test("gives an account without an address its first", async () => {
    await service.store(accounts([account(1, { email: null, is_verified: false })], [refresh.row]));
    const { accessToken } = dataOf(await send("POST refresh-token", { refreshToken: refresh.token }));
    expect(dataOf(await confirm(await linkFor(accessToken)))).toEqual({ email: wanted });
    expect(await isNow(wanted, "is_verified")).toBe(1);
  });

  test("voids reset links and invitations, which the old address got", async () => {
    // The owner of an invited account can have signed in by a code meanwhile.
    await service.query(
      "INSERT INTO auth_tokens (user_id, token_type, token_hash, expires_at) VALUES (1, 'invitation', 'x', now() + interval '1 day')",
    );
    expect(outcome(await confirm(await linkFor(await login())))).toBe("200");
    const reply = await send("POST reset-password", { token: reset, ...confirmed });
    expect(outcome(reply)).toBe("400 INVALID_RESET_TOKEN");
    expect(await countRows(service, "auth_tokens", "token_type = 'invitation'")).toBe(0);
  });

  test("opens a page of the app, if the manifest names one", async () => {
    const other = await testService({
      ...settings,
      auth: { changeEmailPageUrl: "https://app.example/x?a=1#b" },
    });
    await other.store(given);
    expect(outcome(await change(await login(old, other), wanted, other))).toBe("200");
    const { link } = await mailTo(wanted, other);
    expect(link).toMatch(/^https:\/\/app\.example\/x\?a=1&token=[^&]+#b$/);
    expect(outcome(await confirm(tokenIn(link), other))).toBe("200");
  });

  test("without its part of self-service does not exist", async () => {
    const other = await testService({
      ...settings,
      authPrefix: "/members",
      auth: { selfService: ["profile"] },
    });
    for (const line of ["POST", "DELETE", "GET"].map((method) => `${method} /members/change-email`))
      expect(outcome(await other.send(requestOf(line), { role: "user", sub: "1" }))).toBe("404 NOT_FOUND");
    const reply = await other.send(requestOf("POST /members/change-email/confirm", { token: "x" }));
    expect(outcome(reply)).toBe("404 NOT_FOUND");
  });
});

describe("a taken address", () => {
  test("gets a mail without a link; answer and pending change are as for a free one", async () => {
    const token = await login();
    const replies = [await change(token, taken), await change(token, wanted)];
    const bodies = replies.map(({ status, envelope: { data, ...rest } }) => [
      status,
      rest,
      Object.keys(Object(data)),
    ]);
    expect(bodies[0]).toEqual(bodies[1]);
    const mail = await mailTo(taken);
    expect(mail.subject).toMatch(/^Your e-mail address is already in use at /);
    expect(mail.text + mail.html).not.toMatch(/https?:|token/);
    expect(await pending()).toBe(1);
  });

  test("takes the same statements, and the answer does not wait for the look-up", async () => {
    const statements: string[] = [];
    let looked = Promise.resolve();
    const other = await testService(settings, {
      watch: (database) =>
        watchedDatabase(database, (connection) => async (statement, values) => {
          if (statement.text.endsWith("where email = $1")) await looked;
          // Now and then, a counter also removes expired ones.
          if (!statement.text.includes("expired as")) statements.push(statement.text);
          return connection.run(statement, values);
        }),
    });
    await other.store(given);
    const token = await login(old, other);
    const sentFor = async (email: string) => {
      statements.length = 0;
      let resolve = () => {};
      looked = new Promise((done) => {
        resolve = done;
      });
      dataOf(await change(token, email, other));
      resolve();
      await other.settled();
      return [...statements];
    };
    const free = await sentFor(wanted);
    expect(free.filter((text) => text.endsWith("where email = $1"))).toHaveLength(1);
    expect(await sentFor(taken)).toEqual(free);
  });

  test("that is taken meanwhile is a conflict, and the link stays good", async () => {
    const link = await linkFor(await login());
    await service.query(`UPDATE users SET email = '${wanted}' WHERE id = 2`);
    expect(outcome(await confirm(link))).toBe("409 EMAIL_ALREADY_EXISTS email");
    expect([await isNow(old), await pending()]).toEqual([1, 1]);
    await service.query("DELETE FROM users WHERE id = 2");
    expect(outcome(await confirm(link))).toBe("200");
  });

  test("gets no link when it is free again", async () => {
    const before = smtp.mails.length;
    expect(outcome(await change(await login(), taken))).toBe("200");
    await service.settled();
    expect(smtp.mails.slice(before).map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/already in use/),
    ]);
  });
});

describe("refused, with nothing stored and mailed", () => {
  const key = apiKey(1);
  const own = "400 VALIDATION_ERROR new_email";
  let mailed = 0;
  let logged = 0;
  const requested = () => service.log.filter(({ event }) => event === "email.change_requested").length;
  beforeEach(async () => {
    await service.store(accounts([account(1), account(2)], [key.row]));
    mailed = smtp.mails.length;
    logged = requested();
  });

  const nothing = async () => {
    await service.settled();
    expect(await pending()).toBe(0);
    expect(smtp.mails).toHaveLength(mailed);
    expect(requested()).toBe(logged);
  };
  test.each<[string, Sent["body"], string]>([
    ["the own address", { new_email: old }, own],
    ["the own address in capitals", { new_email: " USER1@EXAMPLE.com" }, own],
    ["a placeholder", { new_email: "instagram_7@placeholder.example" }, own],
    ["two addresses", { new_email: "a@x.example,b@x.example" }, own],
    ["no address", {}, own],
    ["another key", { new_email: wanted, user_id: 2 }, "400 VALIDATION_ERROR user_id"],
    ["a form", "new_email=new@example.com", "415 HTTP_ERROR"],
  ])("%s", async (_, body, refusal) => {
    expect(outcome(await send("POST change-email", body, await login()))).toBe(refusal);
    await nothing();
  });

  test("a session that is not recent learns how to sign in", async () => {
    const token = await login();
    clock.pass(10 * 60);
    const reply = await change(token);
    expect(outcome(reply)).toBe("403 REAUTHENTICATION_REQUIRED");
    expect(reply.envelope.details).toEqual({
      ...{ max_age_seconds: 600, methods: ["password", "email_code"], providers: [], second_factor: false },
    });
    await nothing();
  });

  test("a refresh makes no session recent", async () => {
    const { refreshToken } = dataOf(await send("POST login", { email: old, password }));
    clock.pass(10 * 60);
    const { accessToken } = dataOf(await send("POST refresh-token", { refreshToken }));
    expect(outcome(await change(accessToken))).toBe("403 REAUTHENTICATION_REQUIRED");
    await nothing();
  });

  test.each<[string, string, string]>([
    ["a token without a session", "SELECT", "403 REAUTHENTICATION_REQUIRED"],
    ["an ended session", "DELETE FROM auth_tokens", "403 REAUTHENTICATION_REQUIRED"],
    [
      "a password that was changed",
      "UPDATE users SET credentials_changed_at = now() + interval '1 s'",
      "401 TOKEN_REVOKED",
    ],
    ["an inactive account", "UPDATE users SET is_active = false", "403 ACCOUNT_INACTIVE"],
    ["a deleted account", "DELETE FROM users", "404 NOT_FOUND"],
  ])("%s", async (name, text, refusal) => {
    const token = name.includes("without") ? tokenOf({ role: "user", sub: "1" }) : await login();
    await service.query(text);
    expect(outcome(await change(token))).toBe(refusal);
    await nothing();
  });

  test("a guest and an API key", async () => {
    for (const line of ["POST change-email", "DELETE change-email"]) {
      const [method = "", path = ""] = line.split(" ");
      const headers = { "x-api-key": key.key };
      const reply = await service.send({ method, path: `/auth/${path}`, headers, body: {} });
      expect([outcome(await send(line, {})), outcome(reply)]).toEqual(Array(2).fill("401 MISSING_TOKEN"));
    }
  });

  test("without a key for links, or a mail provider, 503", async () => {
    const { email = {} } = settings;
    for (const [lacking, why] of [
      [{ ...signing }, "email.provider"],
      [{ email }, "SERVICE_AUTH_VERIFICATION_KEY"],
    ] as const) {
      const other = await testService(lacking);
      await other.store(given);
      const reply = await change(await login(old, other), wanted, other);
      expect(outcome(reply)).toBe("503 HTTP_ERROR");
      expect(reply.envelope.message).toContain(why);
      expect(await countRows(other, "auth_pending_changes")).toBe(0);
    }
  });
});

describe("a link", () => {
  test("is voided by a newer request", async () => {
    const token = await login();
    const first = await linkFor(token);
    const second = await linkFor(token, "newer@example.com");
    expect(outcome(await confirm(first))).toBe(invalidLink);
    expect(dataOf(await confirm(second))).toEqual({ email: "newer@example.com" });
  });

  test("stays good if the next one is over the hourly limit of its recipient", async () => {
    const email = { ...settings.email, hourlyLimitPerRecipient: 1 };
    const limited = await testService({ ...settings, email }, { now: clock.now });
    await limited.store(given);
    const token = await login(old, limited);
    const answers = [await change(token, wanted, limited), await change(token, wanted, limited)];
    expect(answers.map((reply) => Object.keys(dataOf(reply)))).toEqual([["expires_at"], ["expires_at"]]);
    const { link } = await mailTo(wanted, limited);
    expect(dataOf(await confirm(tokenIn(link), limited))).toEqual({ email: wanted });
    const requests = limited.log.filter(({ event }) => event === "email.change_requested");
    expect(requests).toHaveLength(1);
  });

  test("is withdrawn, without a recent sign-in", async () => {
    const token = await login();
    const link = await linkFor(token);
    clock.pass(10 * 60);
    expect(dataOf(await withdraw(token))).toEqual({});
    expect(outcome(await withdraw(token))).toBe("404 NOT_FOUND");
    expect(outcome(await confirm(link))).toBe(invalidLink);
  });

  test("that has expired cannot be withdrawn", async () => {
    const token = await login();
    await linkFor(token);
    await service.query("UPDATE auth_pending_changes SET expires_at = now()");
    expect(outcome(await withdraw(token))).toBe("404 NOT_FOUND");
  });

  const logout = (logout_type: string) => send("POST logout", { token: refresh.token, logout_type });
  const change_password = async () =>
    send("POST change-password", { current_password: password, ...confirmed }, await login());

  test.each<[string, () => Promise<unknown>]>([
    ["a change of the password", change_password],
    ["a reset of the password", () => send("POST reset-password", { token: reset, ...confirmed })],
    ["logout of all", () => logout("all")],
    [
      "another address of the account",
      () => service.query("UPDATE users SET email = 'x@example.com' WHERE id = 1"),
    ],
    ["no address any more", () => service.query("UPDATE users SET email = NULL WHERE id = 1")],
    ["deactivation", () => service.query("UPDATE users SET is_active = false WHERE id = 1")],
    ["deletion", () => service.query("DELETE FROM users WHERE id = 1")],
    ["the end of its life", async () => clock.pass(24 * 60 * 60)],
    ["the end of its row's life", () => service.query("UPDATE auth_pending_changes SET expires_at = now()")],
  ])("is void after %s", async (_, act) => {
    const link = await linkFor(await login());
    await act();
    expect(outcome(await confirm(link))).toBe(invalidLink);
    expect(await countRows(service, "users", `email = '${wanted}'`)).toBe(0);
  });

  test.each<[string, () => Promise<unknown>]>([
    ["logout", () => logout("single")],
    ["logout of the others", () => logout("others")],
    ["the end of all sessions but one", async () => send("DELETE sessions", undefined, await login())],
  ])("stays good after %s", async (_, act) => {
    const link = await linkFor(await login());
    await act();
    expect(outcome(await confirm(link))).toBe("200");
  });

  test.each<[string, () => string]>([
    ["a verification link", () => verificationToken(1, old)],
    ["a reset link", () => reset],
    [
      "a forged one",
      () => verificationToken(1, old, { type: "email_change", email: undefined, jti: "x" }, "x".repeat(32)),
    ],
    [
      "one that was never stored",
      () => verificationToken(1, old, { type: "email_change", email: undefined, jti: "x" }),
    ],
    [
      "another subject",
      () => verificationToken(2, old, { type: "email_change", email: undefined, jti: "x" }),
    ],
    ["no token", () => "x"],
  ])("is not %s", async (_, token) => {
    await linkFor(await login());
    expect(outcome(await confirm(token()))).toBe(invalidLink);
    expect(await isNow(old)).toBe(1);
  });

  test.each(["GET", "HEAD"])("%s shows a page with one button, and changes nothing", async (method) => {
    const link = await linkFor(await login());
    const { html, contentSecurityPolicy } = changeEmailPage();
    const reply = await send(`${method} change-email?token=${link}`);
    expect([reply.status, reply.text]).toEqual([200, method === "GET" ? html : ""]);
    expect(reply.headers).toMatchObject({
      ...{ "content-security-policy": contentSecurityPolicy, "referrer-policy": "no-referrer" },
      "cache-control": "no-store",
    });
    expect(html.match(/<button/g)).toHaveLength(1);
    expect([await isNow(old), await pending()]).toEqual([1, 1]);
    expect(outcome(await confirm(link))).toBe("200");
  });

  test.each(["GET", "PUT", "PATCH", "DELETE"])("%s does not confirm", async (method) => {
    expect(outcome(await send(`${method} change-email/confirm`))).toBe("405 HTTP_ERROR");
  });
});

describe("fifty requests at once", () => {
  const many = <Value>(make: (index: number) => Promise<Value>) =>
    Promise.all(Array.from({ length: 50 }, (_, index) => make(index)));
  const tally = (replies: readonly Reply[]) => replies.map(outcome).sort();

  test("confirm one link: one succeeds", async () => {
    const link = await linkFor(await login());
    expect(tally(await many(() => confirm(link)))).toEqual(["200", ...Array(49).fill(invalidLink)]);
  });

  test("withdraw one change: one succeeds", async () => {
    const token = await login();
    await linkFor(token);
    expect(tally(await many(() => withdraw(token)))).toEqual(["200", ...Array(49).fill("404 NOT_FOUND")]);
  });

  test("ask for a link: all succeed, and one link is good", async () => {
    const token = await login();
    expect(tally(await many((index) => change(token, `new${index}@example.com`)))).toEqual(
      Array(50).fill("200"),
    );
    const links: string[] = [];
    for (let index = 0; index < 50; index++)
      links.push(tokenIn((await mailTo(`new${index}@example.com`)).link));
    expect(await pending()).toBe(1);
    expect(tally(await many((index) => confirm(links[index] ?? "")))).toEqual([
      "200",
      ...Array(49).fill(invalidLink),
    ]);
  });

  test("of fifty accounts want one address: one gets it", async () => {
    const ids = Array.from({ length: 50 }, (_, index) => index + 1);
    await service.store(accounts(ids.map((id) => account(id))));
    const links: string[] = [];
    for (const id of ids) links.push(await linkFor(await login(`user${id}@example.com`)));
    expect(tally(await many((index) => confirm(links[index] ?? "")))).toEqual([
      "200",
      ...Array(49).fill("409 EMAIL_ALREADY_EXISTS email"),
    ]);
    expect(await countRows(service, "users", `email = '${wanted}'`)).toBe(1);
  });
});

describe("a link that waits for the account's row", () => {
  const begun = () => login().then((token) => linkFor(token));

  test.each([
    [
      "a change of the password",
      `WITH locked AS (SELECT id FROM users WHERE id = 1 FOR UPDATE)
DELETE FROM auth_pending_changes USING locked WHERE user_id = locked.id`,
    ],
    ["deactivation", "UPDATE users SET is_active = false WHERE id = 1"],
    ["another address", "UPDATE users SET email = 'x@example.com' WHERE id = 1"],
    ["deletion", "DELETE FROM users WHERE id = 1"],
  ])("is void after %s", async (_, text) => {
    const link = await begun();
    const [reply] = await inTurn(service, text, () => confirm(link));
    expect(reply && outcome(reply)).toBe(invalidLink);
  });

  test("loses the address to a registration that commits first", async () => {
    const link = await begun();
    const text = `INSERT INTO users (email, role) VALUES ('${wanted}', 'user')`;
    const [reply] = await inTurn(service, text, () => confirm(link));
    expect(reply && outcome(reply)).toBe("409 EMAIL_ALREADY_EXISTS email");
    expect([await isNow(old), await pending()]).toEqual([1, 1]);
  });

  test("two accounts that exchange addresses do not wait for each other", async () => {
    const links = [await linkFor(await login())];
    await service.query(`UPDATE auth_pending_changes SET target = '${taken}'`);
    links.push(await linkFor(await login(taken), "other@example.com"));
    await service.query(`UPDATE auth_pending_changes SET target = '${old}' WHERE user_id = 2`);
    const replies = await service.pool.transaction(async (transaction) => {
      await transaction.run({ name: null, text: "SELECT FROM users FOR UPDATE" }, []);
      const sent = links.map((link) => confirm(link));
      await waiting(service, 2);
      return sent;
    });
    const outcomes = (await Promise.all(replies)).map(outcome);
    expect(outcomes).toEqual(Array(2).fill("409 EMAIL_ALREADY_EXISTS email"));
  });
});
