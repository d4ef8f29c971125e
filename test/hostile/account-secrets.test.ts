import { once } from "node:events";
import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { secretKey } from "#runtime/config/secrets";
import { mailing, tokenIn } from "../support/links.ts";
import { totp } from "../support/mfa.ts";
import type { Envelope, Sent } from "../support/request.ts";
import { type TestService, testService } from "../support/service.ts";
import { testSmtp } from "../support/smtp.ts";

/** What a caller sends or gets that nobody else may ever read, by what it is. */
const secrets = new Map<string, string>();

/** Error answers and addresses so far. */
const refusals: string[] = [];
const paths: string[] = [];

const smtp = await testSmtp();
const codes = await smsGateway();
const service: TestService = await testService({
  ...mailing(smtp),
  secrets: {
    ...mailing(smtp).secrets,
    apiKey: secretKey("k".repeat(40)),
    encryption: secretKey("e".repeat(40)),
  },
  sms: { provider: "webhook", webhookUrl: codes.url, webhookSecret: secretKey("w".repeat(40)) },
});

const email = "canary.secret@example.com";
const phone = "+14155552671";

/** Notes a secret under what it is. */
function note(what: string, secret: unknown): string {
  if (typeof secret !== "string" || secret.length < 6)
    throw new Error(`${what} is no secret: ${String(secret)}`);
  secrets.set(what, secret);
  return secret;
}

async function send(method: string, path: string, rest: Partial<Sent> = {}): Promise<Envelope> {
  paths.push(path);
  const reply = await service.send({ method, path, ...rest });
  if (reply.status >= 400) refusals.push(JSON.stringify(reply.headers), reply.text);
  return reply.text.startsWith("{") ? reply.envelope : { ...emptyEnvelope, message: reply.text };
}

const emptyEnvelope = { statusCode: 200, status: "success", message: "", data: null };

/** A text in the data of an answer. */
function textIn({ data }: Envelope, name: string): string {
  const value = typeof data === "object" && data !== null && name in data ? Reflect.get(data, name) : null;
  if (typeof value !== "string") throw new Error(`there is no ${name} in ${JSON.stringify(data)}`);
  return value;
}

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

/** Each flow once as it should go, with what it makes noted. */
beforeAll(async () => {
  await service.query("DELETE FROM users");
  let password = note("password", "Canary-Password-1!");
  await send("POST", "/auth/register", { body: { email, password } });
  const verification = note("verification token", tokenIn((await smtp.next(email)).link));
  await send("GET", `/auth/verify-email?token=${verification}`);
  await send("POST", "/auth/request-reset-password", { body: { email } });
  const reset = note("reset token", tokenIn((await smtp.next(email)).link));
  password = note("password after the reset", "Canary-Password-2!");
  await send("POST", "/auth/reset-password", {
    body: { token: reset, new_password: password, confirm_password: password },
  });
  const first = await send("POST", "/auth/login", { body: { email, password } });
  const refreshToken = note("used refresh token", textIn(first, "refreshToken"));
  const renewed = await send("POST", "/auth/refresh-token", { body: { refreshToken } });
  const access = note("access token", textIn(renewed, "accessToken"));
  note("refresh token", textIn(renewed, "refreshToken"));
  await useFactors(access);
  const changed = note("changed password", "Canary-Password-3!");
  const body = { current_password: password, new_password: changed, confirm_password: changed };
  await send("POST", "/auth/change-password", { ...bearer(access), body });
  const second = await signIn(changed);
  await send("POST", "/auth/logout", {
    ...bearer(textIn(second, "accessToken")),
    body: { token: textIn(second, "refreshToken") },
  });
  await send("POST", "/auth/request-otp", { body: { phone_number: phone } });
  const otp = await codes.next();
  const third = await send("POST", "/auth/verify-otp", { body: { phone_number: phone, otp } });
  note("session of a one-time code", textIn(third, "refreshToken"));
  await send("POST", "/auth/request-otp", { body: { phone_number: "+14155552672" } });
  await codes.next();
}, 30_000);

/** With a backup code, since MFA is on. */
async function signIn(password: string): Promise<Envelope> {
  const mfa_code = secrets.get("backup code") ?? "";
  return send("POST", "/auth/login", { body: { email, password, mfa_code } });
}

async function useFactors(access: string): Promise<void> {
  const created = await send("POST", "/auth/api-keys/create", {
    ...bearer(access),
    body: { name: "canary" },
  });
  const key = note("API key", textIn(created, "api_key"));
  await send("GET", "/things/fetch", { headers: { "x-api-key": key } });
  const setup = await send("POST", "/auth/setup-mfa", { ...bearer(access), body: {} });
  const secret = note("TOTP secret", new URL(textIn(setup, "provisioning_uri")).searchParams.get("secret"));
  const [used, unused] = JSON.stringify(setup.data).match(/[a-z2-7]{5}-[a-z2-7]{5}/g) ?? [];
  note("backup code", used);
  note("unused backup code", unused);
  const code = totp(secret, { now: Date.now, pass() {} });
  await send("POST", "/auth/verify-mfa", { ...bearer(access), body: { code, action: "activate" } });
}

test("every flow went as it should: there is something to find", async () => {
  expect(refusals).toEqual([]);
  expect([...secrets.keys()]).toHaveLength(13);
});

test("each secret, sent to each route in each place, wrong: no answer repeats it", async () => {
  const routes = [
    "register",
    "login",
    "refresh-token",
    "logout",
    "change-password",
    "request-verification",
    "request-reset-password",
  ];
  routes.push("reset-password", "generate-verification-link", "request-otp", "verify-otp", "setup-mfa");
  routes.push("verify-mfa", "disable-mfa", "api-keys/create", "get-current-user", "nothing");
  const keys = [
    "email",
    "password",
    "refreshToken",
    "token",
    "logout_type",
    "current_password",
    "new_password",
  ];
  keys.push(
    "confirm_password",
    "phone_number",
    "otp",
    "mfa_code",
    "code",
    "action",
    "name",
    "expires_at",
    "type",
  );
  for (const secret of secrets.values()) {
    const body = Object.fromEntries(keys.map((key) => [key, secret]));
    for (const route of routes) {
      await send("POST", `/auth/${route}`, { body });
      await send("POST", `/auth/${route}`, { body: `{"password": "${secret}"` });
      await send("POST", `/auth/${route}`, {
        body: { [secret]: secret },
        headers: { cookie: `session=${secret}` },
      });
    }
    for (const headers of [
      { authorization: `Bearer ${secret}` },
      { authorization: `Basic ${secret}` },
      { "x-api-key": secret },
    ])
      await send("GET", "/things/fetch?limit=0", { headers });
    await send("DELETE", "/auth/api-keys/revoke", { body: { key_prefix: secret, id: secret } });
    await send("GET", `/auth/verify-email?token=${encodeURIComponent(secret)}`);
    await send("POST", "/auth/login", { body: { email, password: secret, mfa_code: secret } });
  }
  const told = refusals.join("\n");
  // A name that is no key is repeated, since whoever sent it wants to know which: only values are secrets.
  for (const [what, secret] of secrets) expect(valuesIn(told), what).not.toContain(secret);
}, 60_000);

test("with tables gone, what the database says of its values stays inside", async () => {
  await service.query("ALTER TABLE auth_tokens RENAME TO gone");
  await service.query("ALTER TABLE users ADD CONSTRAINT never CHECK (last_name <> 'Nobody') NOT VALID");
  const body = { email: "more@example.com", password: "Canary-Password-1!", last_name: "Nobody" };
  await send("POST", "/auth/register", { body });
  await send("POST", "/auth/logout", { body: { token: secrets.get("refresh token") ?? "" } });
  await service.query("ALTER TABLE users DROP CONSTRAINT never");
  await service.query("ALTER TABLE gone RENAME TO auth_tokens");
  const told = refusals.slice(-4).join("\n");
  expect(told).toContain("ERROR");
  expect(told).not.toMatch(/never|Nobody|auth_tokens|Canary/);
});

test("no log line holds a secret, an e-mail address or a code", () => {
  const lines = service.log.map((line) => JSON.stringify(line));
  expect(lines.length).toBeGreaterThan(100);
  for (const [what, secret] of secrets)
    expect(
      lines.filter((line) => line.includes(secret)),
      what,
    ).toEqual([]);
  expect(lines.filter((line) => line.includes(email) || line.includes(phone))).toEqual([]);
  for (const code of codes.all)
    expect(lines.filter((line) => new RegExp(`\\b${code}\\b`).test(line))).toEqual([]);
});

test("no row of the database holds a secret in the clear", async () => {
  const tables = await service.query("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'");
  let rows = 0;
  for (const { name } of tables) {
    for (const { text } of await service.query(`SELECT t::text AS text FROM "${name}" AS t`)) {
      rows++;
      // Nor a part of one: of tokens the end is the signature, of keys the beginning may be there.
      for (const [what, secret] of secrets)
        expect(text, `${what} in ${name}`).not.toContain(secret.slice(-20));
      for (const code of codes.all) expect(text, name).not.toMatch(new RegExp(`[(,]"?${code}"?[,)]`));
    }
  }
  expect(rows).toBeGreaterThan(8);
});

test("no address holds one, but that of the verification link", () => {
  const others = paths.filter((path) => !path.startsWith("/auth/verify-email?"));
  for (const secret of secrets.values()) expect(others.filter((path) => path.includes(secret))).toEqual([]);
});

/** The answers without the names that they repeat: `details.field`, and messages that begin with one. */
function valuesIn(answers: string): string {
  let text = answers;
  for (const secret of secrets.values())
    text = text.replaceAll(`"field":"${secret}"`, "").replaceAll(`${secret}: is not a field`, "");
  return text;
}

/** A real HTTP server in the place of the SMS provider; it reads the codes. */
async function smsGateway() {
  const all: string[] = [];
  const waiting: ((code: string) => void)[] = [];
  let taken = 0;
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const code = /\b\d{6}\b/.exec(text)?.[0] ?? "";
    all.push(code);
    waiting.shift()?.(code);
    response.end("{}");
  }).listen(0, "127.0.0.1");
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, "listening");
  const address = server.address();
  const next = async () => {
    const known = all[taken++];
    return known ?? new Promise<string>((resolve) => void waiting.push(resolve));
  };
  return { url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`, all, next };
}
