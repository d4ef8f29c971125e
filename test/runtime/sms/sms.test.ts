import { createSecretKey } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { createLog } from "#runtime/process/log";
import { createSmsSender, type SmsConfig } from "#runtime/sms/index";
import { silent } from "../../support/silent-log.ts";

const root = mkdtempSync(join(tmpdir(), "kirak-sms-"));
afterAll(() => rmSync(root, { recursive: true }));

const none: SmsConfig["sms"] = {
  provider: null,
  from: null,
  webhookUrl: null,
  webhookSecret: null,
  twilioAccountSid: null,
  twilioAuthToken: null,
  maxPerSecond: null,
  hourlyLimitPerAddress: 30,
};
const config = (sms: Partial<SmsConfig["sms"]>, production = false): SmsConfig => ({
  root,
  production,
  sms: { ...none, ...sms },
});

test("the provider log writes a file for its owner alone, and the log does not hold the code", async () => {
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

test("messages are paced in front of whoever carries them", async () => {
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
