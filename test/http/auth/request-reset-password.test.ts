import { describe, expect, test } from "vitest";
import { smtpTransport } from "#runtime/mail/mailer";
import { account, accounts, countRows } from "../../support/accounts.ts";
import { claimsIn, mailing, signing, tokenIn } from "../../support/links.ts";
import { outcome, scenarios } from "../../support/scenarios.ts";
import { type TestService, testService } from "../../support/service.ts";
import { testSmtp } from "../../support/smtp.ts";

const smtp = await testSmtp();
const settings = mailing(smtp);
const service = await testService(settings);

const path = "/auth/request-reset-password";
const users = [
  account(1, { email: "ann@example.com", first_name: "Ann" }),
  account(2, { email: "idle@example.com", is_active: false }),
  account(3, { email: "jürgen@xn--exmple-cua.com", is_verified: false, password: null }),
];
const given = accounts(users);
const message = "If there is an account with this e-mail, a link is on its way.";
const ask = (email: unknown, to: TestService = service) =>
  to.send({ method: "POST", path, body: JSON.parse(JSON.stringify({ email })) });
const failures = (of: TestService) => of.log.filter(({ msg }) => String(msg).includes("[RESET_REQUEST]"));

describe("POST /auth/request-reset-password", () => {
  const request = (email: unknown, fails?: string) => ({
    name: JSON.stringify(email),
    given,
    send: `POST ${path}`,
    body: JSON.parse(JSON.stringify({ email })),
    ...(fails === undefined ? { data: {} } : { fails }),
  });
  const malformed = "400 VALIDATION_ERROR email";
  // biome-ignore format: one case a line
  scenarios(service, [
    request("nobody@example.com"),
    request("idle@example.com"),
    { ...request("nobody@example.com"), name: "a stale token", headers: { authorization: "Bearer stale" } },
    request(undefined, malformed),
    request(null, malformed),
    request("", malformed),
    request("ann", malformed),
    request("ann@example.com\r\nBcc: eve@example.com", malformed),
    request("ann@example.com,eve@example.com", malformed),
    request('"ann"@example.com', malformed),
    request(["ann@example.com"], malformed),
    request({ $ne: "" }, malformed),
    { ...request("ann@example.com", "400 VALIDATION_ERROR url"), name: "an unknown key",
      body: { email: "ann@example.com", url: "https://eve.example" } },
    { name: "without a body", send: `POST ${path}`, fails: malformed },
    { send: `GET ${path}`, fails: "405 HTTP_ERROR" },
  ]);

  test("mails a link that sets a new password, once", async () => {
    await service.store(given);
    const reply = await ask(" ANN@example.com ");
    expect(reply.envelope).toMatchObject({ message, data: {} });
    const mail = await smtp.next("ann@example.com");
    expect(mail.to).toEqual(["ann@example.com"]);
    expect(mail.text).toContain("Hello Ann,");
    const token = tokenIn(mail.link);
    const { iat, exp, jti, ...claims } = claimsIn(token);
    expect(claims).toEqual({ sub: "1", type: "password_reset" });
    expect(jti).toMatch(/^[0-9a-f-]{36}$/);
    expect(Number(exp) - Number(iat)).toBe(60 * 60);
    const stored = await service.query(
      "SELECT token_hash FROM auth_tokens WHERE token_type = 'password_reset'",
    );
    expect(stored).toEqual([{ token_hash: expect.stringMatching(/^[0-9a-f]{64}$/) }]);

    const text = "Another-Horse-2!";
    const body = { token, new_password: text, confirm_password: text };
    const reset = () => service.send({ method: "POST", path: "/auth/reset-password", body });
    expect(outcome(await reset())).toBe("200");
    expect(outcome(await reset())).toBe("400 INVALID_RESET_TOKEN");
    const login = { method: "POST", path: "/auth/login", body: { email: "ann@example.com", password: text } };
    expect(outcome(await service.send(login))).toBe("200");
    expect(JSON.stringify(service.log)).not.toContain(token);
  });

  test("mails to whoever has the address, whatever the spelling, to the stored one only", async () => {
    await service.store(given);
    await ask("ju\u0308rgen@exa\u0308mple.COM");
    expect((await smtp.next("jürgen@exämple.com")).to).toEqual(["jürgen@exämple.com"]);
  });

  test("nobody learns who has an account: unknown and inactive ones get the same answer and no mail", async () => {
    await service.store(given);
    const before = smtp.mails.length;
    const replies = await Promise.all(["nobody@example.com", "idle@example.com"].map((email) => ask(email)));
    const known = await ask("ann@example.com");
    await smtp.next("ann@example.com");
    for (const reply of replies) expect(reply.envelope).toEqual(known.envelope);
    expect(smtp.mails.length).toBe(before + 1);
    expect(await countRows(service, "auth_tokens")).toBe(1);
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
});

test.each([
  ["https://shop.example/reset", /^https:\/\/shop\.example\/reset\?token=[\w.-]+$/],
  ["https://shop.example/reset?lang=de", /^https:\/\/shop\.example\/reset\?lang=de&token=[\w.-]+$/],
  ["https://shop.example/reset?lang=de#form", /^https:\/\/shop\.example\/reset\?lang=de&token=[\w.-]+#form$/],
])("the link goes to %s", async (page, link) => {
  const own = await testService({ ...settings, auth: { forgotPasswordPageUrl: page } });
  await own.store(accounts([account(1, { email: "page@example.com" })]));
  expect(outcome(await ask("page@example.com", own))).toBe("200");
  expect((await smtp.next("page@example.com")).link).toMatch(link);
});

test("a request while the database is away is answered the same", async () => {
  const broken = await testService(settings);
  await broken.store(given);
  await broken.query("ALTER TABLE users RENAME TO lost");
  const reply = await ask("ann@example.com", broken);
  await expect.poll(() => failures(broken)).toHaveLength(1);
  await broken.query("ALTER TABLE lost RENAME TO users");
  expect(reply.envelope).toMatchObject({ statusCode: 200, message });
});
