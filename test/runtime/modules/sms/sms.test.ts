import { createHmac, createSecretKey } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { createSmsSender, phoneNumberOf, type SmsConfig } from "#runtime/modules/sms/index";
import { twilioSender, webhookSender } from "#runtime/modules/sms/sms-sender";
import { createLog } from "#runtime/process/log";
import { silent } from "../../../support/silent-log.ts";

/** A request as the provider got it. */
interface Got {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Peer {
  readonly origin: string;
  readonly got: readonly Got[];
}

/** A provider of text messages: a real HTTP server that answers as configured, until the test is over. */
async function peer(answer: (response: ServerResponse) => void): Promise<Peer> {
  const got: Got[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const { method = "", url: path = "", headers } = request;
    got.push({ method, path, headers, body: Buffer.concat(parts).toString() });
    answer(response);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, "listening");
  const address = server.address();
  return { origin: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`, got };
}

/** The error that a promise rejects with, and everything that a log would print of it. */
async function failure(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error)) throw new Error("it did not fail");
  return `${error.message} ${JSON.stringify({ ...error })} ${error.cause ?? ""}`;
}

const root = mkdtempSync(join(tmpdir(), "kirak-sms-"));
afterAll(() => rmSync(root, { recursive: true }));

// biome-ignore format: many a line
const none: SmsConfig["sms"] = {
  provider: null, from: null, webhookUrl: null, webhookSecret: null, twilioAccountSid: null,
  twilioAuthToken: null, maxPerSecond: null, hourlyLimitPerAddress: 30,
};
const config = (sms: Partial<SmsConfig["sms"]>, production = false): SmsConfig => ({
  root,
  production,
  sms: { ...none, ...sms },
});

test("the provider log writes a file that only its owner can read, and the log does not hold the code", async () => {
  const lines: string[] = [];
  const log = createLog("test", "info", { write: (line) => lines.push(line) });
  await createSmsSender(config({ provider: "log" }), log)?.send({ to: "+41791234567", text: "Code: 123456" });
  const folder = join(root, "var/kirak/outbox");
  const [name = ""] = readdirSync(folder);
  expect(name).toMatch(/\.txt$/);
  expect(readFileSync(join(folder, name), "utf8")).toBe("To: +41791234567\n\nCode: 123456\n");
  expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ file: `var/kirak/outbox/${name}` });
  expect(lines.join()).not.toMatch(/123456|41791234567/);
});

test("messages are paced before they reach the provider", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const sms = { to: "+41791234567", text: "Code: 123456" };
  const sender = createSmsSender(config({ provider: "log", maxPerSecond: 1 }), silent);
  await sender?.send(sms);
  expect(vi.getTimerCount()).toBe(1);
  const second = sender?.send(sms);
  await vi.advanceTimersByTimeAsync(999);
  const count = () => readdirSync(join(root, "var/kirak/outbox")).length;
  const before = count();
  await vi.advanceTimersByTimeAsync(1);
  await second;
  expect(count()).toBe(before + 1);
});

test("a production is warned, since nothing is sent", () => {
  const lines: string[] = [];
  createSmsSender(
    config({ provider: "log" }, true),
    createLog("test", "info", { write: (line) => lines.push(line) }),
  );
  expect(lines).toEqual([expect.stringContaining("not sent")]);
});

test("no provider, or one that lacks a setting, gives none", () => {
  expect(createSmsSender(config({}), silent)).toBe(null);
  expect(createSmsSender(config({ provider: "twilio", from: "+1" }), silent)).toBe(null);
  expect(createSmsSender(config({ provider: "webhook", webhookUrl: "https://x.example" }), silent)).toBe(
    null,
  );
});

test("providers with their settings give one", () => {
  const webhookSecret = createSecretKey(Buffer.alloc(32));
  const twilio = { from: "+1", twilioAccountSid: "AC1", twilioAuthToken: "t" };
  expect(createSmsSender(config({ provider: "twilio", ...twilio }), silent)).not.toBe(null);
  expect(
    createSmsSender(config({ provider: "webhook", webhookUrl: "https://x.example", webhookSecret }), silent),
  ).not.toBe(null);
});

const account = { accountSid: "AC123", authToken: "t0ken", from: "+15005550006" };
const german = { to: "+41791234567", text: "123456 ist Ihr Code für a&b=c+d" };

test("posts a form with basic authentication", async () => {
  const { origin, got } = await peer((response) => response.writeHead(201).end('{"sid":"SM1"}'));
  await twilioSender({ ...account, origin }).send(german);
  expect(got).toHaveLength(1);
  expect(got[0]).toMatchObject({
    method: "POST",
    path: "/2010-04-01/Accounts/AC123/Messages.json",
    headers: {
      authorization: `Basic ${Buffer.from("AC123:t0ken").toString("base64")}`,
      "content-type": "application/x-www-form-urlencoded",
    },
  });
  expect(Object.fromEntries(new URLSearchParams(got[0]?.body))).toEqual({
    To: german.to,
    From: account.from,
    Body: german.text,
  });
});

test("a messaging service is named as one", async () => {
  const { origin, got } = await peer((response) => response.writeHead(201).end("{}"));
  const from = `MG${"0af1".repeat(8)}`;
  await twilioSender({ ...account, from, origin }).send(german);
  const form = new URLSearchParams(got[0]?.body);
  expect([form.get("MessagingServiceSid"), form.has("From")]).toEqual([from, false]);
});

test("a refusal has status and code, and nothing of the message, the number or the token", async () => {
  const body = JSON.stringify({
    code: 21211,
    message: `The 'To' number ${german.to} is not valid`,
    status: 400,
  });
  const { origin } = await peer((response) => response.writeHead(400).end(body));
  const text = await failure(twilioSender({ ...account, origin }).send(german));
  expect(text).toContain("Twilio refused the message: status 400, code 21211");
  expect(text).not.toMatch(/123456|41791234567|t0ken/);
});

test("a redirect is not followed", async () => {
  const { origin, got } = await peer((response) => response.writeHead(307, { Location: "/elsewhere" }).end());
  expect(await failure(twilioSender({ ...account, origin }).send(german))).toContain("status 307");
  expect(got).toHaveLength(1);
});

test("an endless answer ends", async () => {
  const { origin } = await peer((response) => {
    response.writeHead(500);
    const pour = () => {
      while (response.write("x".repeat(65_536)));
    };
    response.on("drain", pour).on("error", () => {});
    pour();
  });
  expect(await failure(twilioSender({ ...account, origin }).send(german))).toContain("status 500");
});

test("silence, before or within the response, and no server", async () => {
  const silence = await peer(() => {});
  expect(
    await failure(twilioSender({ ...account, origin: silence.origin, limitMs: 50 }).send(german)),
  ).toContain("Twilio could not be reached: no answer in time");
  const half = await peer((response) => response.writeHead(500).write("{"));
  expect(
    await failure(twilioSender({ ...account, origin: half.origin, limitMs: 200 }).send(german)),
  ).toContain("no answer in time");
  const unreachable = await failure(twilioSender({ ...account, origin: "http://127.0.0.1:1" }).send(german));
  expect(unreachable).toMatch(/could not be reached/);
  expect(unreachable).not.toMatch(/123456|t0ken/);
});

const secretText = "0123456789abcdef0123456789abcdef";
const secret = createSecretKey(Buffer.from(secretText));
const quoted = { to: "+41791234567", text: "123456 «Code»" };

test("posts JSON that the receiver can verify as Standard Webhooks", async () => {
  const { origin, got } = await peer((response) => response.writeHead(204).end());
  const send = webhookSender({ url: `${origin}/sms?tenant=1`, secret, now: () => 1_700_000_000_999 });
  await send.send(quoted);
  await send.send(quoted);
  const [first, second] = got;
  expect(first).toMatchObject({
    method: "POST",
    path: "/sms?tenant=1",
    headers: { "content-type": "application/json", "webhook-timestamp": "1700000000" },
  });
  expect(JSON.parse(first?.body ?? "")).toEqual(quoted);
  const id = first?.headers["webhook-id"];
  const hash = createHmac("sha256", secretText).update(`${id}.1700000000.${first?.body}`).digest("base64");
  expect(first?.headers["webhook-signature"]).toBe(`v1,${hash}`);
  expect(second?.headers["webhook-id"]).not.toBe(id);
});

test("a secret in the notation of the standard", async () => {
  const { origin, got } = await peer((response) => response.end());
  const bytes = Buffer.from("a key of twenty-four byt");
  const key = createSecretKey(Buffer.from(`whsec_${bytes.toString("base64")}`));
  await webhookSender({ url: origin, secret: key }).send(quoted);
  const { headers, body = "" } = got[0] ?? {};
  const signed = `${headers?.["webhook-id"]}.${headers?.["webhook-timestamp"]}.${body}`;
  const hash = createHmac("sha256", bytes).update(signed).digest("base64");
  expect(headers?.["webhook-signature"]).toBe(`v1,${hash}`);
});

test.each([
  ["a refusal", 503, "refused the message: status 503"],
  ["a redirect", 302, "refused the message: status 302"],
])("%s", async (_, status, expected) => {
  const { origin, got } = await peer((response) =>
    response.writeHead(status, { Location: "/x" }).end("123456"),
  );
  const text = await failure(webhookSender({ url: origin, secret }).send(quoted));
  expect(text).toContain(expected);
  expect(text).not.toMatch(/123456|41791234567|0123456789abcdef/);
  expect(got).toHaveLength(1);
});

test("silence", async () => {
  const { origin } = await peer(() => {});
  expect(await failure(webhookSender({ url: origin, secret, limitMs: 50 }).send(quoted))).toContain(
    "no answer in time",
  );
});

test("a password in the address keeps the service from starting, and is not repeated", () => {
  expect(() => webhookSender({ url: "https://u:hidden@sms.example/", secret })).toThrow(
    expect.objectContaining({ name: "ConfigError", message: expect.not.stringContaining("hidden") }),
  );
});

test("the receiver of docs/mail.md distinguishes genuine messages from forged ones", async () => {
  const docs = readFileSync(new URL("../../../../docs/mail.md", import.meta.url), "utf8");
  const code = /```js\n(.*?)```/s.exec(docs)?.[1];
  const { isGenuine } = await import(
    `data:text/javascript,${encodeURIComponent(`${code} export { isGenuine };`)}`
  );
  const { origin, got } = await peer((response) => response.end());
  await webhookSender({ url: origin, secret }).send(quoted);
  const { headers, body = "" } = got[0] ?? {};
  const later = Date.now() + 301_000;
  expect(isGenuine(headers, body, secretText)).toBe(true);
  expect(isGenuine(headers, `${body} `, secretText)).toBe(false);
  expect(isGenuine(headers, body, `${secretText}x`)).toBe(false);
  expect(isGenuine(headers, body, secretText, later)).toBe(false);
  expect(isGenuine({ ...headers, "webhook-id": "msg_other" }, body, secretText)).toBe(false);
  expect(isGenuine({ ...headers, "webhook-timestamp": undefined }, body, secretText)).toBe(false);
});

test.each([
  ["+12025550123", "+12025550123"],
  ["+1 (202) 555-0123", "+12025550123"],
  [" +1.202.555.0123\n", "+12025550123"],
  ["+49 (0) 170 1234567", "+491701234567"],
  ["+31 20 123 4567", "+31201234567"],
  ["+919876543210", "+919876543210"],
  ["+15551234567", "+15551234567"],
  ["+447700900123", "+447700900123"],
  ["+33 6 12 34 56 78", "+33612345678"],
  ["2025550123", null],
  ["0012025550123", null],
  ["++12025550123", null],
  ["+1", null],
  ["+12", null],
  ["+999123456789", null],
  ["+1202555012345", null],
  ["+12025550123x5", null],
  ["+12025550123;ext=5", null],
  ["+1-800-FLOWERS", null],
  ["＋12025550123", null],
  ["+1202555012３", null],
  ["+1 202 555\n0123", null],
  ["", null],
])("%j is %j", (text, expected) => {
  expect(phoneNumberOf(text)).toBe(expected);
});

// biome-ignore format: many a line
test.each([
  "12025550123", "+1202555", "+00000000000", "+1202555012x", "+12025550123 ext. 5", "tel:+12025550123", "+12025550123,+12025550124",
  "+12025550123\nSubject", "+١٢٠٢٥٥٥٠١٢٣", "+",
])("%j is not a phone number", (text) => {
  expect(phoneNumberOf(text)).toBeNull();
});
