import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createMailer, type Mail, type Mailer } from "#runtime/mail/index";
import { createLog } from "#runtime/process/log";

const mail: Mail = {
  to: "ann@example.org",
  subject: "Confirm your address — Böök",
  text: `Grüße\n\nhttps://shop.example/auth/verify-email?token=${"a1-_".repeat(40)}\n`,
  html: `<p>Grüße <a href="https://shop.example/?token=${"a1-_".repeat(40)}">x</a></p>`,
};

let root: string;
let lines: string[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "kirak-outbox-"));
  lines = [];
});
afterEach(() => rmSync(root, { recursive: true }));

function outbox(production = false, maxPerSecond: number | null = null): Mailer {
  const email = {
    provider: "log",
    from: "Shop <no-reply@shop.example>",
    replyTo: null,
    smtpUrl: null,
    maxPerSecond,
    hourlyLimitPerRecipient: 10,
  } as const;
  const log = createLog("test", "info", { write: (line) => lines.push(line) });
  const mailer = createMailer({ root, production, email }, log);
  if (mailer === null) throw new Error("there is a provider");
  return mailer;
}

const folder = () => join(root, "var/kirak/outbox");

test("a mail becomes a file that mail programs open and people can read", async () => {
  await outbox().send(mail);
  const [name = ""] = readdirSync(folder());
  const content = readFileSync(join(folder(), name));
  const parsed = await PostalMime.parse(content);
  expect(parsed).toMatchObject({ subject: mail.subject, to: [{ address: "ann@example.org" }] });
  expect(parsed.text?.trim()).toBe(mail.text.trim());
  expect(parsed.html?.trim()).toBe(mail.html);
  expect(content.toString()).toContain(mail.text.trim());
});

test("a mail that has no page is whole as well", async () => {
  await outbox().send({ ...mail, html: null, text: "Größe: 7\n\nhttps://example.org/?token=x=\n" });
  const [name = ""] = readdirSync(folder());
  const content = readFileSync(join(folder(), name));
  const parsed = await PostalMime.parse(content);
  expect(parsed).toMatchObject({ subject: mail.subject, to: [{ address: "ann@example.org" }] });
  expect(parsed.html).toBeUndefined();
  expect(parsed.text).toBe("Größe: 7\n\nhttps://example.org/?token=x=\n");
  expect(content.toString()).toContain("Größe: 7\n\nhttps://example.org/?token=x=\n");
});

test("the folder and its files are for their owner alone; the one around is not closed", async () => {
  await outbox().send(mail);
  const [name = ""] = readdirSync(folder());
  expect(statSync(folder()).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder(), name)).mode & 0o777).toBe(0o600);
  expect(statSync(join(root, "var/kirak")).mode & 0o055).not.toBe(0);
});

test("mails are paced in front of whoever carries them", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const mailer = outbox(false, 1);
  await mailer.send(mail);
  expect(vi.getTimerCount()).toBe(1);
  const second = mailer.send(mail);
  await vi.advanceTimersByTimeAsync(999);
  expect(readdirSync(folder())).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  await second;
  expect(readdirSync(folder())).toHaveLength(2);
});

test("names are unique and sort by time, and no draft stays", async () => {
  const mailer = outbox();
  for (const subject of ["1", "2", "3"]) await mailer.send({ ...mail, subject });
  await Promise.all(Array.from({ length: 20 }, () => mailer.send(mail)));
  const names = readdirSync(folder()).sort();
  expect(names).toHaveLength(23);
  expect(names.every((name) => /^\d{8}T\d{9}Z-\d{6}-[0-9a-f]{8}\.eml$/.test(name))).toBe(true);
  const subjects = names
    .slice(0, 3)
    .map((name) => /^Subject: (.*)$/m.exec(readFileSync(join(folder(), name), "utf8"))?.[1]);
  expect(subjects).toEqual(["1", "2", "3"]);
});

test("the log names file and subject; neither address nor link stand in it", async () => {
  await outbox().send(mail);
  const [name = ""] = readdirSync(folder());
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    msg: "mail written to the outbox",
    subject: mail.subject,
    file: `var/kirak/outbox/${name}`,
    to: "[masked]",
  });
  expect(lines.join()).not.toMatch(/ann@|a1-_/);
});

test("a production is warned, since nothing is sent", () => {
  outbox(true);
  expect(lines).toEqual([expect.stringContaining("not sent")]);
});
