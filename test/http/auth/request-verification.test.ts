import { describe, expect, test } from "vitest";
import { smtpTransport } from "#runtime/mail/mailer";
import { account, accounts, countRows, password } from "../../support/accounts.ts";
import { claimsIn, mailing, signing, tokenIn } from "../../support/links.ts";
import { outcome, scenarios } from "../../support/scenarios.ts";
import { type TestService, testService } from "../../support/service.ts";
import { testSmtp } from "../../support/smtp.ts";
import { inTurn } from "../../support/turns.ts";

const smtp = await testSmtp();
const service = await testService({ ...mailing(smtp), social: { placeholderDomain: "Nobody.Example" } });

const path = "/auth/request-verification";
const unverified = { is_verified: false };
const given = accounts([
  account(1, { ...unverified, email: "ann@example.com", first_name: "Ann" }),
  account(2, { email: "known@example.com" }),
  account(3, { ...unverified, email: "idle@example.com", is_active: false }),
  account(4, { ...unverified, email: "instagram_7@nobody.example", password: null }),
  account(5, { ...unverified, email: "jürgen@xn--exmple-cua.com", password: null }),
]);
const message = "If this e-mail is waiting to be verified, a link is on its way.";
const ask = (email: string, to: TestService = service) => to.send({ method: "POST", path, body: { email } });
const failures = (of: TestService) =>
  of.log.filter(({ msg }) => String(msg).includes("[VERIFICATION_REQUEST]"));

describe("POST /auth/request-verification", () => {
  const malformed = "400 VALIDATION_ERROR email";
  scenarios(service, [
    { given, send: `POST ${path}`, body: { email: "nobody@example.com" }, data: {} },
    { given, send: `POST ${path}`, body: { email: "nobody@example.com" }, headers: { authorization: "x" } },
    { send: `POST ${path}`, body: {}, fails: malformed },
    { send: `POST ${path}`, body: { email: "a@x.example,b@x.example" }, fails: malformed },
    { send: `POST ${path}`, body: { email: "a@x.example", url: "x" }, fails: "400 VALIDATION_ERROR url" },
    { send: `GET ${path}`, fails: "405 HTTP_ERROR" },
  ]);

  test("mails a fresh link, which verifies the address and lets its owner in", async () => {
    await service.store(given);
    expect((await ask(" ANN@example.com ")).envelope).toMatchObject({ message, data: {} });
    const mail = await smtp.next("ann@example.com");
    expect(mail.text).toContain("Hello Ann,");
    const { iat, exp, ...claims } = claimsIn(tokenIn(mail.link));
    expect(claims).toEqual({ sub: "1", email: "ann@example.com", type: "email_verification" });
    expect(Number(exp) - Number(iat)).toBe(24 * 60 * 60);
    const { pathname, search } = new URL(mail.link);
    expect((await service.send({ method: "GET", path: pathname + search })).status).toBe(200);
    const body = { email: "ann@example.com", password };
    expect(outcome(await service.send({ method: "POST", path: "/auth/login", body }))).toBe("200");
    expect(JSON.stringify(service.log)).not.toContain(search.slice("?token=".length));
  });

  test("whatever the spelling, to the stored address only", async () => {
    await service.store(given);
    await ask("ju\u0308rgen@exa\u0308mple.COM");
    expect((await smtp.next("jürgen@exämple.com")).to).toEqual(["jürgen@exämple.com"]);
  });

  test("one answer for all, and no mail to who is unknown, verified, inactive or has no address", async () => {
    await service.store(given);
    const before = smtp.mails.length;
    const others = ["nobody", "known", "idle"].map((name) => `${name}@example.com`);
    const replies = await Promise.all([...others, "instagram_7@nobody.example"].map((email) => ask(email)));
    const reply = await ask("ann@example.com");
    await smtp.next("ann@example.com");
    for (const { envelope } of replies) expect(envelope).toEqual(reply.envelope);
    expect(smtp.mails.length).toBe(before + 1);
    expect(failures(service)).toEqual([]);
  });

  test("the answer waits for nobody: it comes while the table cannot be read", async () => {
    await service.store(given);
    const [reply] = await service.pool.transaction(async (transaction) => {
      await transaction.run({ name: null, text: "lock table users" }, []);
      return [await ask("ann@example.com"), await ask("nobody@example.com")];
    });
    expect(reply?.envelope).toMatchObject({ statusCode: 200, message });
    await smtp.next("ann@example.com");
  });

  test.each(["refuse", "stall"] as const)(
    "a server that would %s changes nothing in the answer",
    async (mood) => {
      const moody = await testSmtp();
      const mailer = smtpTransport(moody.url, { from: { name: "", address: "shop@example.com" } }, 500);
      const other = await testService(signing, { mailer });
      await other.store(given);
      moody.mood = mood;
      const reply = await ask("ann@example.com", other);
      expect(reply.envelope).toMatchObject({ statusCode: 200, message, data: {} });
      await expect.poll(() => failures(other), { timeout: 5000 }).toHaveLength(1);
      expect(failures(other)[0]).toMatchObject({ level: 50, request_id: reply.headers["x-request-id"] });
      expect(JSON.stringify(other.log)).not.toContain("token=");
      mailer.close();
    },
  );

  test("where no mail leaves the log says why", async () => {
    const keyless = await testService();
    await keyless.store(given);
    expect(outcome(await ask("ann@example.com", keyless))).toBe("200");
    await expect.poll(() => JSON.stringify(failures(keyless))).toContain("SERVICE_AUTH_VERIFICATION_KEY");
  });

  test("a link to an address that the account loses meanwhile is no good", async () => {
    await service.store(given);
    await ask("ann@example.com");
    const { pathname, search } = new URL((await smtp.next("ann@example.com")).link);
    const open = () => service.send({ method: "GET", path: pathname + search });
    const [page] = await inTurn(service, "update users set email = null where id = 1", open);
    expect(page?.status).toBe(400);
    expect(await countRows(service, "users", "id = 1 and is_verified")).toBe(0);
  });
});

describe("nothing is ever mailed to a placeholder address", () => {
  const email = "instagram_7@nobody.example";

  test("not for a new password", async () => {
    await service.store(given);
    const before = smtp.mails.length;
    const body = { email };
    const reset = { method: "POST", path: "/auth/request-reset-password" };
    expect(outcome(await service.send({ ...reset, body }))).toBe("200");
    // Both are worked on in turn, the one that gets a mail last.
    await service.send({ ...reset, body: { email: "ann@example.com" } });
    await smtp.next("ann@example.com");
    expect(smtp.mails.length).toBe(before + 1);
    expect(await countRows(service, "auth_tokens", "user_id = 4")).toBe(0);
  });

  test("nobody registers one, and keeps out whom it is made up for", async () => {
    await service.store({});
    const before = smtp.mails.length;
    const reply = await service.send({ method: "POST", path: "/auth/register", body: { email, password } });
    expect(outcome(reply)).toBe("400 VALIDATION_ERROR email");
    expect(await countRows(service, "users")).toBe(0);
    expect(smtp.mails.length).toBe(before);
  });
});
