import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { AfterResponse, BackgroundTasks, noTrace } from "#runtime/core/concurrency/index";
import type { Transaction } from "#runtime/core/database/index";
import { type AppCodeScope, absentModules, noHooksRunning } from "#runtime/hooks/context/index";
import { guest } from "#runtime/models/access/index";
import { enqueueIn } from "#runtime/modules/jobs/index";
import { createMailer, loadMailTemplates } from "#runtime/modules/mail/index";
import { mailForCode, messageJobs, smsForCode } from "#runtime/modules/messages/index";
import type { Sms } from "#runtime/modules/sms/index";
import { createLog } from "#runtime/process/log";
import { testQueue } from "../../../support/queue.ts";
import { testSmtp } from "../../../support/smtp.ts";

const smtp = await testSmtp();
const lines: string[] = [];
const log = createLog("tests", "info", { write: (line: string) => void lines.push(line) });

const root = mkdtempSync(join(tmpdir(), "kirak-messages-"));
cpSync(join(import.meta.dirname, "../../../http/fixture/mails"), join(root, "mails"), { recursive: true });
const templates = loadMailTemplates(join(root, "mails"));
const email = {
  provider: "smtp",
  from: "shop@shop.example",
  replyTo: null,
  smtpUrl: smtp.url,
  maxPerSecond: null,
  hourlyLimitPerRecipient: 10,
} as const;
const mailer = createMailer({ root, production: true, email }, log);
afterAll(() => {
  mailer?.close();
  rmSync(root, { recursive: true });
});

/** What was put into the queue. */
const queue: { readonly name: string; readonly payload: string }[] = [];
/** What the provider of text messages has taken. */
const taken: Sms[] = [];
beforeEach(() => {
  queue.length = 0;
  taken.length = 0;
  lines.length = 0;
  smtp.mood = "accept";
  smtp.refusalCode = 550;
});

const enqueue = async (_: unknown, job: { readonly name: string; readonly payload: string }) => {
  queue.push(job);
};
// biome-ignore format: many a line
const origin = {
  principal: guest, requestId: "r-1", log, modules: absentModules, trace: noTrace, chain: noHooksRunning,
};
const scope: AppCodeScope = {
  origin: { ...origin, later: new AfterResponse(new BackgroundTasks(log)) },
  transaction: null,
};
const options = { templates, production: false, placeholderDomain: "social.invalid", enqueue };
const mail = mailForCode({ hasProvider: true, ...options })(scope);
const sms = smsForCode({ hasProvider: true, enqueue })(scope);
const jobs = new Map(
  messageJobs({ mailer, sms: { send: async (sent) => void taken.push(sent) } }).map((job) => [job.name, job]),
);

/** Does the work of a worker with each waiting job. */
async function work(): Promise<void> {
  for (const { name, payload } of queue) {
    const job = jobs.get(name);
    const sent: unknown = JSON.parse(payload);
    expect(await job?.read(sent)).toMatchObject({ problems: [] });
    await job?.run({ payload: sent, trace: noTrace });
  }
}

describe("mails", () => {
  test("the rendered text is that of the time of the call", async () => {
    const data = { name: "Ann <b>\r\nBcc: eve@evil.example", number: 7 };
    await mail.send({ to: " Ann@example.org", template: "welcome", data });
    expect(smtp.mails).toHaveLength(0);
    data.number = 8;
    await work();
    const got = await smtp.next("ann@example.org");
    expect(got).toMatchObject({ subject: "Welcome, Ann <b> Bcc: eve@evil.example", to: ["ann@example.org"] });
    expect(got.text).toContain("you are number 7.");
    expect(got.html).toContain("Dear Ann &lt;b&gt;");
    expect(got.raw.split("\r\n\r\n")[0]).not.toMatch(/^Bcc:/m);
  });

  test("a mail with custom text, plain or with a page", async () => {
    await mail.send({ to: "bob@example.org", subject: "A\r\nBcc: eve@evil.example", text: "Hello" });
    await mail.send({ to: "cid@example.org", subject: "Hi", text: "Hello", html: "<p>Hello</p>" });
    await work();
    const plain = await smtp.next("bob@example.org");
    expect([plain.subject, plain.text.trim(), plain.html]).toEqual(["A Bcc: eve@evil.example", "Hello", ""]);
    expect((await smtp.next("cid@example.org")).html).toContain("<p>Hello</p>");
  });

  test("each try has the Message-ID of the job, and no other job has it", async () => {
    await mail.send({ to: "dee@example.org", template: "closing" });
    await work();
    await work();
    await mail.send({ to: "dee@example.org", template: "closing" });
    queue.shift();
    await work();
    const ids = [];
    for (let index = 0; index < 3; index++) ids.push((await smtp.next("dee@example.org")).parsed.messageId);
    expect(ids[0]).toMatch(/^<[0-9a-f-]{36}@shop\.example>$/);
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  test("a failure rejects, so that the job is retried, and holds nothing of the mail", async () => {
    smtp.mood = "refuse";
    smtp.refusal = "no ann@example.org here";
    await mail.send({ to: "ann@example.org", template: "closing" });
    const error = await work().then(String, String);
    expect(error).toMatch(/the mail server refused the mail: 550/);
    expect(error).not.toContain("ann@");
  });

  // biome-ignore format: one case a line
  test.each<[string, unknown, RegExp]>([
    ["two addresses", { to: "ann@example.org, eve@evil.example", template: "closing" }, /one e-mail address/],
    ["an address with a name", { to: "Ann <ann@example.org>", template: "closing" }, /one e-mail address/],
    ["a header", { to: "ann@example.org\r\nBcc: eve@evil.example", template: "closing" }, /one e-mail address/],
    ["no address", { template: "closing" }, /one e-mail address/],
    ["a template that there is not", { to: "ann@example.org", template: "closng" }, /did you mean "closing"/],
    ["a value that is missing", { to: "ann@example.org", template: "welcome", data: { name: "A" } }, /"number"/],
    ["no text", { to: "ann@example.org", subject: "Hi" }, /`text` of a mail must be a string/],
    ["no subject", { to: "ann@example.org", text: "Hi" }, /`subject` of a mail must be a string/],
    ["an invalid page", { to: "ann@example.org", subject: "Hi", text: "Hi", html: {} }, /`html`/],
  ])("%s throws at send, whether a provider is set or not", async (_, sent, expected) => {
    for (const hasProvider of [true, false]) {
      const { send } = mailForCode({ hasProvider, ...options })(scope);
      await expect(Reflect.apply(send, undefined, [sent])).rejects.toThrow(expected);
    }
    expect(queue).toEqual([]);
  });

  test("in production a mail without a provider is 503, as a text message is", async () => {
    const { send } = mailForCode({ ...options, hasProvider: false, production: true })(scope);
    const sent = send({ to: "ann@example.org", template: "closing" });
    await expect(sent).rejects.toMatchObject({ code: "HTTP_ERROR", status: 503 });
    expect(queue).toEqual([]);
  });

  test("without a provider nothing is sent, and a line is logged; nothing is sent to invented addresses", async () => {
    await mailForCode({ hasProvider: false, ...options })(scope).send({
      to: "ann@example.org",
      template: "closing",
    });
    await mail.send({ to: "tiktok_7@social.invalid", template: "closing" });
    expect(queue).toEqual([]);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 40, msg: "a mail is not sent: email.provider is not set" },
      { level: 40, msg: expect.stringContaining("placeholder of an account") },
    ]);
  });
});

describe("by the queue", async () => {
  const queued = await testQueue();
  const modulesOf = (transaction: Transaction | null) =>
    mailForCode({
      hasProvider: true,
      ...options,
      enqueue: (within, job) => enqueueIn(within, queued.database, job),
    })({ ...scope, transaction });
  const worker = () => queued.work(messageJobs({ mailer, sms: null }));

  test("a mail of a transaction that is rolled back is not sent; of one that commits it is, and nothing is kept of it", async () => {
    const send = (transaction: Transaction, to: string) =>
      modulesOf(transaction).send({ to, template: "closing" });
    const failing = queued.database.transaction(async (transaction) => {
      await send(transaction, "never@example.org");
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    await queued.database.transaction(async (transaction) => {
      await send(transaction, "eve@example.org");
      // By this a bulk sees that a record which is refused later has asked for something.
      expect(transaction.currentSavepoint.hasSideEffects).toBe(true);
      await expect(
        transaction.savepoint(async () => {
          await send(transaction, "never@example.org");
          throw new Error("no");
        }),
      ).rejects.toThrow("no");
    });
    expect(await queued.rows()).toMatchObject([{ name: "kirak:mail", payload: { to: "eve@example.org" } }]);
    worker();
    await smtp.next("eve@example.org");
    await expect.poll(() => queued.rows()).toEqual([]);
    expect(smtp.mails.filter(({ to }) => to.includes("never@example.org"))).toEqual([]);
  });

  test.each([
    ["is retried with the same Message-ID if the refusal is temporary", 451, 10],
    ["is dead at once if the refusal is permanent", 550, 10],
  ])("a mail %s; no line has address or text", async (_, code, attempts) => {
    smtp.mood = "refuse";
    smtp.refusalCode = code;
    const to = `code${code}@example.org`;
    await modulesOf(null).send({ to, subject: "Secret subject", text: "Secret text" });
    const { log: logged } = worker();
    const isDead = code === 550;
    await expect
      .poll(() => logged.find(({ job }) => job === "kirak:mail"))
      .toMatchObject({
        level: isDead ? 50 : 40,
        msg: expect.stringContaining(isDead ? "dead" : "retried"),
      });
    await expect.poll(async () => (await queued.rows())[0]?.["running"]).toBe(false);
    const [row] = await queued.rows();
    expect(row).toMatchObject({ attempts: isDead ? attempts : 1, max_attempts: attempts });
    expect(`${row?.["last_error"]}${JSON.stringify(logged)}`).not.toMatch(/Secret|@example\.org/);
    smtp.mood = "accept";
    await queued.query("update kirak_jobs.jobs set run_at = now(), attempts = least(attempts, 1)");
    const payload = Object(row?.["payload"]);
    expect((await smtp.next(to)).parsed.messageId).toBe(`<${payload.id}@shop.example>`);
    await expect.poll(() => queued.rows()).toEqual([]);
  });
});

describe("text messages", () => {
  test("one is sent to the number as accounts have it, by the id of its job", async () => {
    await sms.send({ to: "+41 79 123 45 67", text: "Hello" });
    await work();
    await work();
    const sent = { id: expect.any(String), to: "+41791234567", text: "Hello", traceparent: null };
    expect(taken).toEqual(Array(2).fill(sent));
    expect(taken[0]?.id).toBe(taken[1]?.id);
  });

  test.each<[string, unknown, RegExp]>([
    ["no number", { to: "call me", text: "Hi" }, /phone number in international notation/],
    ["none of a country", { to: "079 123 45 67", text: "Hi" }, /phone number in international notation/],
    ["no text", { to: "+41791234567" }, /`text` of a text message/],
  ])("%s throws", async (_, sent, expected) => {
    await expect(Reflect.apply(sms.send, undefined, [sent])).rejects.toThrow(expected);
    expect(queue).toEqual([]);
  });

  test("without a provider it is refused, as a code is", async () => {
    const without = smsForCode({ hasProvider: false, enqueue })(scope);
    await expect(without.send({ to: "+41791234567", text: "Hi" })).rejects.toMatchObject({
      code: "HTTP_ERROR",
      status: 503,
    });
  });
});

test("without a provider its jobs wait: no worker of this process knows them", () => {
  expect(messageJobs({ mailer: null, sms: null })).toEqual([]);
  expect([...jobs.keys()]).toEqual(["kirak:mail", "kirak:sms"]);
});

test.each([
  {},
  { id: "1", to: "a@b.c", subject: "x", text: "x" },
  { id: 1, to: "a", subject: "", text: "", html: null },
])("a job of another version is not a mail: %j", async (payload) => {
  expect(await jobs.get("kirak:mail")?.read(payload)).not.toMatchObject({ problems: [] });
});
