import { beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { secretKey } from "#runtime/core/config/secret-keys";
import { createLog } from "#runtime/process/log";
import { mailing, tokenIn } from "../support/links.ts";
import { totp } from "../support/mfa.ts";
import { call, query, type Reply, token } from "../support/model-service.ts";
import { type Envelope, type Sent, sendRaw } from "../support/request.ts";
import { expectEnvelope } from "../support/scenarios.ts";
import { type TestService, testService } from "../support/service.ts";
import { testSms } from "../support/sms.ts";
import { testSmtp } from "../support/smtp.ts";
import { allModels, internals, startWorld } from "./support/models.ts";

/** Secrets that a caller sends or gets, by kind. No other user may read them. */
const secrets = new Map<string, string>();

/** Error answers and addresses so far. */
const refusals: string[] = [];
const paths: string[] = [];

const smtp = await testSmtp();
const sms = await testSms();
const service: TestService = await testService({
  ...mailing(smtp),
  secrets: {
    ...mailing(smtp).secrets,
    ...{ apiKey: [secretKey("k".repeat(40))], encryption: [secretKey("e".repeat(40))] },
  },
  sms: sms.settings,
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
  const otp = sms.codeOf(phone);
  const third = await send("POST", "/auth/verify-otp", { body: { phone_number: phone, otp } });
  note("session of a one-time code", textIn(third, "refreshToken"));
  await send("POST", "/auth/request-otp", { body: { phone_number: "+14155552672" } });
}, 30_000);

const codes = () => sms.sent.map(({ text }) => /\b\d{6}\b/.exec(text)?.[0] ?? "");

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
  const routes =
    `register login refresh-token logout change-password request-verification request-reset-password
    reset-password generate-verification-link request-otp verify-otp setup-mfa verify-mfa disable-mfa api-keys/create
    get-current-user nothing`.split(/\s+/);
  const keys = `email password refreshToken token logout_type current_password new_password confirm_password
    phone_number otp mfa_code code action name expires_at type`.split(/\s+/);
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
  // An unknown key is repeated, since the caller needs to know which: only values are secrets.
  for (const [what, secret] of secrets) expect(valuesIn(told), what).not.toContain(secret);
}, 60_000);

test("with tables gone, what the database says of its values stays inside", async () => {
  await service.query("ALTER TABLE auth_tokens RENAME TO gone");
  await service.query("ALTER TABLE users ADD CONSTRAINT never CHECK (last_name <> 'Forbidden') NOT VALID");
  const body = { email: "more@example.com", password: "Canary-Password-1!", last_name: "Forbidden" };
  await send("POST", "/auth/register", { body });
  await send("POST", "/auth/logout", { body: { token: secrets.get("refresh token") ?? "" } });
  await service.query("ALTER TABLE users DROP CONSTRAINT never");
  await service.query("ALTER TABLE gone RENAME TO auth_tokens");
  const told = refusals.slice(-4).join("\n");
  expect(told).toContain("ERROR");
  expect(told).not.toMatch(/never|Forbidden|auth_tokens|Canary/);
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
  for (const code of codes())
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
      for (const code of codes()) expect(text, name).not.toMatch(new RegExp(`[(,]"?${code}"?[,)]`));
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

const canary = "c4n4ry";
const mail = `${canary}@secret.example`;

describe("no log line and no error contains a secret", async () => {
  const lines: string[] = [];
  const sink = { write: (text: string) => void lines.push(...text.trim().split("\n")) };
  const models = allModels.map((entry) =>
    entry.model.key === "papers" ? { ...entry, hooks: { before_create: failing } } : entry,
  );

  /** A hook with a mistake in its SQL, and one that throws what it was given. */
  async function failing(
    record: Record<string, unknown>,
    { transaction }: { transaction?: (table: string) => { insert(row: object): Promise<unknown> } },
  ): Promise<void> {
    if (record["title"] === "sql") await transaction?.("papers").insert({ nonsense: record["secret"] });
    if (record["title"] === "throw") throw new TypeError("a mistake");
  }

  const world = await startWorld({ models, logger: createLog("hostile", "trace", sink) });
  await world.db.query(`insert into papers (owner_id, title, code, mail, secret, pin)
      values (1, 'b', '${canary}', '${mail}', '${canary}', '${canary}')`);

  beforeEach(() => {
    lines.length = 0;
  });

  async function answered(
    status: number,
    line: string,
    body?: unknown,
    as?: string,
    headers = {},
  ): Promise<Reply> {
    const reply = await world.send({ ...call(line, body, as), headers });
    expect(reply.status, reply.text).toBe(status);
    expectEnvelope(reply, line);
    if (status === 200) return reply;
    expect(reply.text).not.toMatch(internals);
    expect(reply.text).not.toContain(canary);
    return reply;
  }

  function expectSilence(count: number): void {
    expect(lines.length).toBeGreaterThanOrEqual(count);
    for (const line of lines) {
      expect(() => JSON.parse(line)).not.toThrow();
      expect(line).not.toContain(canary);
    }
  }

  const who = token("admin", "1", { email: mail });
  const create = (status: number, data: object) => answered(status, "POST /papers/create", { data }, who);

  it("values of a query string", async () => {
    const read = (status: number, path: string, as?: string) =>
      answered(status, `GET ${path}`, undefined, as);
    await read(200, `/papers/fetch${query({ code: canary, mail, secret__like: canary })}`, who);
    await read(200, `/papers/search${query({ search_term: canary })}`, who);
    await read(
      400,
      `/papers/fetch${query({ id: canary, state: canary, created_at: canary, limit: canary })}`,
      who,
    );
    await read(403, `/papers/fetch?access_token=${canary}`);
    await read(400, `/things/fetch?token=x&api_key=${canary}`);
    expectSilence(5);
  });

  it("credentials, good and bad", async () => {
    const read = (status: number, headers: object) =>
      answered(status, "GET /things/fetch", undefined, undefined, headers);
    const signed = (status: number, claims: object) =>
      answered(
        status,
        "GET /papers/fetch",
        undefined,
        token("admin", "1", { email: mail, jti: canary, ...claims }),
      );
    await read(200, { cookie: `session=${canary}`, "x-secret": canary, "x-request-id": `${canary} x` });
    await read(401, { authorization: `Bearer ${canary}` });
    await read(401, { authorization: `Basic ${canary}` });
    await read(401, { "x-api-key": `kk_${canary}` });
    await signed(200, {});
    await signed(401, { exp: 1 });
    expectSilence(6);
    expect(lines.join()).not.toContain("eyJ");
  });

  it("bodies", async () => {
    const record = { owner_id: 1, title: "b", pin: canary, mail, secret: canary, doc: { password: canary } };
    await create(200, record);
    await create(400, { ...record, title: 7 });
    await create(400, { ...record, code: canary });
    await create(400, { ...record, state: canary, grade: canary, mail: canary, pin: canary.repeat(20) });
    await answered(400, "POST /papers/create", `{"data": ${canary}`, who);
    await answered(415, "POST /papers/create", canary, who, { "content-type": canary });
    await answered(400, "PUT /papers/update", { where: { id: canary }, data: { pin: canary } }, who);
    await answered(400, "DELETE /papers/delete", { ids: [canary] }, who);
    await answered(403, "PUT /papers/update", { where: { code: canary }, data: { mail } }, token("clerk"));
    expectSilence(9);
  });

  it("paths that lead nowhere", async () => {
    const paths = [
      ...[`reset/${canary}.${canary}`, `users/${encodeURIComponent(mail)}`, `users/${mail}/x`],
      ...[`verify/${canary.repeat(10)}`, token("admin", "1", { email: mail })],
    ];
    for (const path of paths) await answered(404, `GET /${path}`);
    expectSilence(5);
    expect(lines.join()).not.toContain("eyJ");
  });

  it("requests that are none", async () => {
    await sendRaw(world.port, `GET /?${canary} HTTP/1.1\r\nHost: x\r\nAuthorization : ${canary}\r\n\r\n`);
    expectSilence(0);
  });

  const failure = (error: string) => ({
    ...{ statusCode: 500, status: "error", error, message: expect.any(String), data: null },
  });

  it("internal errors are logged with their stack; the response has none", async () => {
    const thrown = await create(500, { owner_id: 1, title: "throw", secret: canary });
    expect(thrown.json).toEqual(failure("INTERNAL_ERROR"));
    await create(500, { owner_id: 1, title: "sql", secret: canary, pin: canary, mail });
    expectSilence(2);
    expect(lines[0]).toContain("a mistake");
    expect(lines[0]).toContain("secrets.test.ts");
    expect(lines[1]).toContain("nonsense");
  });

  it("failures of the database likewise", async () => {
    await world.db.query("alter table things rename to things_gone");
    const { json } = await answered(500, `GET /things/fetch${query({ name: canary })}`);
    expect(json).toEqual(failure("DATABASE_ERROR"));
    await answered(500, "POST /things/create", { data: { name: canary } });
    await answered(500, "PUT /things/update", { data: [{ id: 1, name: canary }] });
    await answered(500, "DELETE /things/delete", { where: { name: canary } });
    await world.db.query("alter table things_gone rename to things");
    expectSilence(4);
    for (const line of lines) expect(line).toContain("things");
  });
});
