import { createHmac, createSecretKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { webhookSender } from "#runtime/sms/sms-sender";
import { failure, peer } from "./peer.ts";

const secretText = "0123456789abcdef0123456789abcdef";
const secret = createSecretKey(Buffer.from(secretText));
const sms = { to: "+41791234567", text: "123456 «Code»" };

test("posts JSON that the receiver can verify as Standard Webhooks", async () => {
  const { origin, got } = await peer((response) => response.writeHead(204).end());
  const send = webhookSender({ url: `${origin}/sms?tenant=1`, secret, now: () => 1_700_000_000_999 });
  await send.send(sms);
  await send.send(sms);
  const [first, second] = got;
  expect(first).toMatchObject({
    method: "POST",
    path: "/sms?tenant=1",
    headers: { "content-type": "application/json", "webhook-timestamp": "1700000000" },
  });
  expect(JSON.parse(first?.body ?? "")).toEqual(sms);
  const id = first?.headers["webhook-id"];
  const hash = createHmac("sha256", secretText).update(`${id}.1700000000.${first?.body}`).digest("base64");
  expect(first?.headers["webhook-signature"]).toBe(`v1,${hash}`);
  expect(second?.headers["webhook-id"]).not.toBe(id);
});

test("a secret in the notation of the standard", async () => {
  const { origin, got } = await peer((response) => response.end());
  const bytes = Buffer.from("a key of twenty-four byt");
  const key = createSecretKey(Buffer.from(`whsec_${bytes.toString("base64")}`));
  await webhookSender({ url: origin, secret: key }).send(sms);
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
  const text = await failure(webhookSender({ url: origin, secret }).send(sms));
  expect(text).toContain(expected);
  expect(text).not.toMatch(/123456|41791234567|0123456789abcdef/);
  expect(got).toHaveLength(1);
});

test("silence", async () => {
  const { origin } = await peer(() => {});
  expect(await failure(webhookSender({ url: origin, secret, limitMs: 50 }).send(sms))).toContain(
    "no answer in time",
  );
});

test("a password in the address keeps the service from starting, and is not repeated", () => {
  expect(() => webhookSender({ url: "https://u:hidden@sms.example/", secret })).toThrow(
    expect.objectContaining({ name: "ConfigError", message: expect.not.stringContaining("hidden") }),
  );
});

test("the receiver of docs/mail.md tells genuine messages from others", async () => {
  const docs = readFileSync(new URL("../../../docs/mail.md", import.meta.url), "utf8");
  const code = /```js\n(.*?)```/s.exec(docs)?.[1];
  const { isGenuine } = await import(
    `data:text/javascript,${encodeURIComponent(`${code} export { isGenuine };`)}`
  );
  const { origin, got } = await peer((response) => response.end());
  await webhookSender({ url: origin, secret }).send(sms);
  const { headers, body = "" } = got[0] ?? {};
  const later = Date.now() + 301_000;
  expect(isGenuine(headers, body, secretText)).toBe(true);
  expect(isGenuine(headers, `${body} `, secretText)).toBe(false);
  expect(isGenuine(headers, body, `${secretText}x`)).toBe(false);
  expect(isGenuine(headers, body, secretText, later)).toBe(false);
  expect(isGenuine({ ...headers, "webhook-id": "msg_other" }, body, secretText)).toBe(false);
  expect(isGenuine({ ...headers, "webhook-timestamp": undefined }, body, secretText)).toBe(false);
});
