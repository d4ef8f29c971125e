import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ServiceError } from "#runtime/core/errors/index";
import { account, accounts, apiKey, countRows, password } from "../../support/accounts.ts";
import { testClock } from "../../support/clock.ts";
import { mailing } from "../../support/links.ts";
import { type Reply, requestOf, type Sent } from "../../support/request.ts";
import { outcome } from "../../support/scenarios.ts";
import { type TestService, testService } from "../../support/service.ts";
import { tokenOf } from "../../support/service-token.ts";
import { testSms } from "../../support/sms.ts";
import { testSmtp } from "../../support/smtp.ts";
import { inTurn, waiting } from "../../support/turns.ts";
import { stage } from "../fixture/stage.ts";

const [smtp, sms] = [await testSmtp(), await testSms()];
const clock = testClock();
const settings = {
  ...mailing(smtp),
  sms: sms.settings,
  auth: { emailVerificationRequired: false, emailCodes: false },
};
const service = await testService(settings, { now: clock.now });

const email = "user1@example.com";
const [old, wanted, taken] = ["+12025550123", "+12025550124", "+12025550125"];
const wrongCode = "401 INVALID_OTP";

const send = (line: string, body?: Sent["body"], token?: string, to: TestService = service) => {
  const [method = "", path = ""] = line.split(" ");
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return to.send({ method, path: `/auth/${path}`, headers, ...(body !== undefined && { body }) });
};
const dataOf = (reply: Reply) => {
  expect(outcome(reply), reply.text).toBe("200");
  return Object(reply.envelope.data);
};
const login = async (address = email, to: TestService = service): Promise<string> =>
  dataOf(await send("POST login", { email: address, password }, undefined, to)).accessToken;
const change = (token: string, phone_number = wanted) => send("POST change-phone", { phone_number }, token);
const confirm = (token: string, code: string) => send("POST change-phone/confirm", { code }, token);
const remove = (token: string) => send("DELETE phone", undefined, token);
/** Asks for a change, and returns the code. */
const codeFor = async (token: string, phone_number = wanted) => {
  dataOf(await change(token, phone_number));
  return sms.codeOf(phone_number);
};
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");
const isNow = (phone: string | null, id = 1) =>
  countRows(
    service,
    "users",
    `id = ${id} AND phone_number IS NOT DISTINCT FROM ${phone === null ? "NULL" : `'${phone}'`}`,
  );
const pending = () => countRows(service, "auth_pending_changes");
const tally = (replies: readonly Reply[]) => replies.map(outcome).sort();
const many = <Value>(make: (index: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: 50 }, (_, index) => make(index)));
const events = () => service.log.filter(({ msg }) => msg === "account event");
const notices = async () => {
  await service.settled();
  return smtp.mails.slice(earlier).map(({ to, subject }) => [to[0], subject]);
};

let earlier = 0;
beforeEach(async () => {
  Object.assign(stage, { hooks: {}, fired: [] });
  await service.settled();
  await service.query("DELETE FROM kirak_rate_limits");
  await service.store(accounts([account(1, { phone_number: old }), account(2, { phone_number: taken })]));
  service.log.length = 0;
  earlier = smtp.mails.length;
});
afterEach(() => {
  Object.assign(stage, { hooks: {}, fired: [] });
});

describe("a change of the phone number", () => {
  test("takes effect with the code, in the session that asked", async () => {
    const token = await login();
    const { expires_at, ...rest } = dataOf(await change(token, "+1 (202) 555-0124"));
    expect(rest).toEqual({});
    expect(Math.abs(Date.parse(expires_at) - clock.now() - 300_000)).toBeLessThan(5_000);
    const message = sms.sent.at(-1);
    expect(message?.to).toBe(wanted);
    expect(message?.text).toMatch(/^\d{6} is your code to use this number for your account at scenarios\./);
    expect(await isNow(old)).toBe(1);

    const code = sms.codeOf(wanted);
    expect(dataOf(await confirm(token, code))).toEqual({ phone_number: wanted });
    expect([await isNow(wanted), await pending()]).toEqual([1, 0]);
    expect(outcome(await confirm(token, code))).toBe(wrongCode);
    expect(events()).toMatchObject([{ event: "phone.changed", actor: "user", changes: ["phone_number"] }]);
    expect(JSON.stringify(service.log)).not.toMatch(/\+1202555012|\b\d{6}\b is your/);
    expect(await notices()).toEqual([[email, "Your phone number was changed at scenarios"]]);
  });

  test("the number then signs in, and the older one does not", async () => {
    const token = await login();
    dataOf(await confirm(token, await codeFor(token)));
    dataOf(await send("POST request-otp", { phone_number: wanted }));
    const reply = await send("POST verify-otp", { phone_number: wanted, otp: sms.codeOf(wanted) });
    expect(dataOf(reply).user.user_id).toBe(1);
    expect(await countRows(service, "users")).toBe(2);
  });

  test("gives an account its first number", async () => {
    await service.query("UPDATE users SET phone_number = NULL WHERE id = 1");
    const token = await login();
    expect(dataOf(await confirm(token, await codeFor(token)))).toEqual({ phone_number: wanted });
  });
});

describe("a code", () => {
  test("for a change signs in nowhere, and a sign-in code changes nothing", async () => {
    const token = await login();
    const code = await codeFor(token);
    expect(outcome(await send("POST verify-otp", { phone_number: wanted, otp: code }))).toBe(wrongCode);
    dataOf(await send("POST request-otp", { phone_number: wanted }));
    const other = sms.codeOf(wanted);
    if (other !== code) expect(outcome(await confirm(token, other))).toBe(wrongCode);
    expect(outcome(await send("POST verify-otp", { phone_number: wanted, otp: code }))).toBe(
      other === code ? "200" : wrongCode,
    );
    expect(outcome(await confirm(token, code))).toBe("200");
  });

  test("is not good in another session, for another user, or without a session", async () => {
    const code = await codeFor(await login());
    const others = [await login(), await login("user2@example.com"), tokenOf({ role: "user", sub: "1" })];
    for (const token of others) expect(outcome(await confirm(token, code))).toBe(wrongCode);
    expect([await isNow(old), await isNow(taken, 2)]).toEqual([1, 1]);
  });

  test("of an ended session is void, even where its access token is good", async () => {
    const token = await login();
    const code = await codeFor(token);
    await service.query("DELETE FROM auth_sessions");
    expect(outcome(await confirm(token, code))).toBe(wrongCode);
  });

  test("is good for five minutes, and needs no recent sign-in", async () => {
    const token = await login();
    clock.pass(590);
    const code = await codeFor(token);
    clock.pass(299);
    expect(outcome(await confirm(token, wrong(code)))).toBe(wrongCode);
    clock.pass(2);
    expect(outcome(await confirm(token, code))).toBe(wrongCode);
    const again = await login();
    const later = await codeFor(again);
    clock.pass(299);
    expect(outcome(await confirm(again, later))).toBe("200");
  });

  test("is void after five wrong tries, not after four", async () => {
    const token = await login();
    const code = await codeFor(token);
    for (let count = 0; count < 4; count++)
      expect(outcome(await confirm(token, wrong(code)))).toBe(wrongCode);
    expect(outcome(await confirm(token, code))).toBe("200");
    const other = await codeFor(token, old);
    for (let count = 0; count < 5; count++)
      expect(outcome(await confirm(token, wrong(other)))).toBe(wrongCode);
    expect(outcome(await confirm(token, other))).toBe(wrongCode);
    expect(await isNow(wanted)).toBe(1);
  });

  test("has five tries at once too", async () => {
    const token = await login();
    const code = await codeFor(token);
    await many(() => confirm(token, wrong(code)));
    expect(outcome(await confirm(token, code))).toBe(wrongCode);
    expect(await countRows(service, "auth_pending_changes", "attempts = 5")).toBe(1);
  });

  test("is void after another request; a user gets four in an hour, and a right one resets that", async () => {
    const token = await login();
    const first = await codeFor(token);
    let second = await codeFor(token);
    if (second === first) second = await codeFor(token);
    expect(outcome(await confirm(token, first))).toBe(wrongCode);
    dataOf(await confirm(token, second));
    for (let count = 0; count < 4; count++) await codeFor(token, old);
    const reply = await change(token, old);
    expect(outcome(reply)).toBe("429 RATE_LIMIT_EXCEEDED");
    expect(Number(reply.headers["retry-after"])).toBeGreaterThan(3000);
  });

  test("is void after a removal of the password, and after a logout of all", async () => {
    const token = await login();
    const code = await codeFor(token);
    dataOf(await send("DELETE password", undefined, token));
    expect(outcome(await confirm(token, code))).toBe(wrongCode);
    await service.store(accounts([account(1)]));
    const { accessToken, refreshToken } = dataOf(await send("POST login", { email, password }));
    await codeFor(accessToken);
    dataOf(await send("POST logout", { token: refreshToken, logout_type: "all" }));
    expect(await pending()).toBe(0);
  });

  test("stays good if the next one is over the hourly limit of the network address", async () => {
    const limited = await testService(
      { ...settings, sms: { ...sms.settings, hourlyLimitPerAddress: 1 } },
      { now: clock.now },
    );
    await limited.store(accounts([account(1)]));
    const token = await login(email, limited);
    const ask = () => send("POST change-phone", { phone_number: wanted }, token, limited);
    dataOf(await ask());
    const code = sms.codeOf(wanted);
    expect(Object.keys(dataOf(await ask()))).toEqual(["expires_at"]);
    dataOf(await send("POST change-phone/confirm", { code }, token, limited));
  });
});

describe("a number of another account", () => {
  test("shows only after the right code, which stays good", async () => {
    const token = await login();
    const [reply, free] = [await change(token, taken), await change(token, wanted)];
    expect([reply.status, reply.envelope.message]).toEqual([free.status, free.envelope.message]);
    const code = await codeFor(token, taken);
    expect(outcome(await confirm(token, wrong(code)))).toBe(wrongCode);
    expect(outcome(await confirm(token, code))).toBe("409 PHONE_ALREADY_EXISTS phone_number");
    expect([await isNow(old), await isNow(taken, 2), await pending()]).toEqual([1, 1, 1]);
    await service.query("DELETE FROM users WHERE id = 2");
    expect(outcome(await confirm(token, code))).toBe("200");
  });

  test("that commits first wins", async () => {
    const token = await login();
    const code = await codeFor(token);
    const text = `WITH locked AS (SELECT FROM users WHERE id = 1 FOR UPDATE)
INSERT INTO users (email, role, phone_number) SELECT 'x@example.com', 'user', '${wanted}' FROM locked`;
    const [reply] = await inTurn(service, text, () => confirm(token, code));
    expect(reply && outcome(reply)).toBe("409 PHONE_ALREADY_EXISTS phone_number");
  });
});

describe("refused, with nothing stored and sent", () => {
  let sent = 0;
  beforeEach(() => {
    sent = sms.sent.length;
  });
  const nothing = async () => {
    expect(await pending()).toBe(0);
    expect(sms.sent).toHaveLength(sent);
    expect(events()).toEqual([]);
  };

  test.each<[string, Sent["body"], string]>([
    ["the own number", { phone_number: "+1 202 555 0123" }, "400 VALIDATION_ERROR phone_number"],
    ["no number", { phone_number: "12" }, "400 VALIDATION_ERROR phone_number"],
    ["another key", { phone_number: wanted, user_id: 2 }, "400 VALIDATION_ERROR user_id"],
    ["a form", `phone_number=${wanted}`, "415 HTTP_ERROR"],
  ])("%s", async (_, body, refusal) => {
    expect(outcome(await send("POST change-phone", body, await login()))).toBe(refusal);
    await nothing();
  });

  test("a session that is not recent", async () => {
    const token = await login();
    clock.pass(600);
    for (const reply of [await change(token), await remove(token)])
      expect(outcome(reply)).toBe("403 REAUTHENTICATION_REQUIRED");
    await nothing();
    expect(await isNow(old)).toBe(1);
  });

  test.each<[string, string, string]>([
    ["an inactive account", "is_active = false", "403 ACCOUNT_INACTIVE"],
    ["an older token", "credentials_changed_at = now() + interval '1 s'", "401 TOKEN_REVOKED"],
  ])("%s", async (_, set, refusal) => {
    const token = await login();
    await service.query(`UPDATE users SET ${set}`);
    const replies = [await change(token), await confirm(token, "000000"), await remove(token)];
    expect(replies.map(outcome)).toEqual(Array(3).fill(refusal));
    await nothing();
  });

  test("an API key", async () => {
    const key = apiKey(1);
    await service.store(accounts([account(1)], [key.row]));
    for (const line of ["POST /auth/change-phone", "POST /auth/change-phone/confirm", "DELETE /auth/phone"]) {
      const reply = await service.send({ ...requestOf(line, {}), headers: { "x-api-key": key.key } });
      expect(outcome(reply)).toBe("401 MISSING_TOKEN");
    }
  });

  test("without a provider of text messages", async () => {
    const other = await testService({ ...mailing(smtp), auth: settings.auth });
    await other.store(accounts([account(1, { phone_number: old })]));
    const token = await login(email, other);
    const replies = [
      await send("POST change-phone", { phone_number: wanted }, token, other),
      await send("POST change-phone/confirm", { code: "000000" }, token, other),
    ];
    expect(replies.map(outcome)).toEqual(Array(2).fill("503 HTTP_ERROR"));
    expect(outcome(await send("DELETE phone", undefined, token, other))).toBe("200");
  });

  test("by the provider; an older code stays good", async () => {
    const token = await login();
    sms.status = 500;
    try {
      expect(outcome(await change(token))).toBe("503 HTTP_ERROR");
      await nothing();
      sms.status = 200;
      const code = await codeFor(token);
      sms.status = 500;
      expect(outcome(await change(token, taken))).toBe("503 HTTP_ERROR");
      expect(dataOf(await confirm(token, code))).toEqual({ phone_number: wanted });
    } finally {
      sms.status = 200;
    }
  });

  test("without its part of self-service", async () => {
    const other = await testService({ ...settings, auth: { selfService: ["profile"] } });
    for (const line of ["POST /auth/change-phone", "POST /auth/change-phone/confirm", "DELETE /auth/phone"])
      expect(outcome(await other.send(requestOf(line, {}), { role: "user", sub: "1" }))).toBe(
        "404 NOT_FOUND",
      );
  });
});

describe("DELETE /auth/phone", () => {
  test("removes the number, once", async () => {
    const token = await login();
    const replies = await many(() => remove(token));
    expect(tally(replies)).toEqual(["200", ...Array(49).fill("404 NOT_FOUND")]);
    expect(await isNow(null)).toBe(1);
    expect(events()).toMatchObject([{ event: "phone.removed", changes: ["phone_number"] }]);
    expect(await notices()).toEqual([[email, "Your phone number was removed at scenarios"]]);
  });

  test("never removes the last way in", async () => {
    const token = await login();
    await service.query("UPDATE users SET password = NULL");
    expect(outcome(await remove(token))).toBe("409 LAST_SIGN_IN_METHOD");
    expect(await isNow(old)).toBe(1);
  });
});

describe("hooks", () => {
  test("run when the change takes effect, and cannot replace the number", async () => {
    const token = await login();
    const code = await codeFor(token);
    Object.assign(stage, {
      fired: [],
      hooks: { before_update_account: (value: object) => ({ ...value, changes: { phone_number: taken } }) },
    });
    dataOf(await confirm(token, code));
    expect(stage.fired.map(({ hook, value, context }) => [hook, value, context.principal.user_id])).toEqual(
      ["before_update_account", "after_update_account"].map((hook) => [
        hook,
        { user_id: 1, changes: { phone_number: wanted } },
        "1",
      ]),
    );
    stage.fired.length = 0;
    dataOf(await remove(token));
    expect(stage.fired.map(({ value }) => value)).toEqual(
      Array(2).fill({ user_id: 1, changes: { phone_number: null } }),
    );
  });

  test("refuse by a throw", async () => {
    const token = await login();
    const code = await codeFor(token);
    const refuse = () => {
      throw new ServiceError("PERMISSION_DENIED", "Ask your administrator.");
    };
    stage.hooks = { after_update_account: refuse };
    for (const reply of [await confirm(token, code), await remove(token)])
      expect(outcome(reply)).toBe("403 PERMISSION_DENIED");
    expect(await isNow(old)).toBe(1);
    stage.hooks = {};
    expect(outcome(await confirm(token, code))).toBe("200");
  });
});

describe("at once", () => {
  test("fifty confirmations of one code: one succeeds", async () => {
    const token = await login();
    const code = await codeFor(token);
    expect(tally(await many(() => confirm(token, code)))).toEqual(["200", ...Array(49).fill(wrongCode)]);
    expect(events()).toHaveLength(1);
  });

  test("two accounts that want one number: one gets it", async () => {
    const tokens = [await login(), await login("user2@example.com")];
    const codes: string[] = [];
    for (const token of tokens) codes.push(await codeFor(token));
    const replies = await Promise.all(tokens.map((token, index) => confirm(token, codes[index] ?? "")));
    expect(tally(replies)).toEqual(["200", "409 PHONE_ALREADY_EXISTS phone_number"]);
  });

  test("two accounts that exchange numbers do not wait for each other", async () => {
    const tokens = [await login(), await login("user2@example.com")];
    const codes = [await codeFor(tokens[0] ?? "", taken), await codeFor(tokens[1] ?? "", old)];
    const replies = await service.pool.transaction(async (transaction) => {
      await transaction.run({ name: null, text: "SELECT FROM users FOR UPDATE" }, []);
      const sent = tokens.map((token, index) => confirm(token, codes[index] ?? ""));
      await waiting(service, 2);
      return sent;
    });
    expect((await Promise.all(replies)).map(outcome)).toEqual(
      Array(2).fill("409 PHONE_ALREADY_EXISTS phone_number"),
    );
  });
});
