import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import PostalMime from "postal-mime";
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { createMailer, loadMailTemplates, type Mail, type Mailer } from "#runtime/modules/mail/index";
import { readSenders, smtpOptions, smtpTransport } from "#runtime/modules/mail/mailer";
import { createLog } from "#runtime/process/log";
import { silent } from "../../../support/silent-log.ts";
import { certificate, testSmtp } from "../../../support/smtp.ts";

const server = await testSmtp();
const sender = { from: { name: "", address: "no-reply@shop.example" } };
const email = {
  provider: "smtp",
  from: "Book shop <no-reply@shop.example>",
  replyTo: null,
  maxPerSecond: null,
  hourlyLimitPerRecipient: 10,
} as const;
const mailer = createMailer(
  { root: "/unused", production: true, email: { ...email, smtpUrl: server.url } },
  silent,
);
if (mailer === null) throw new Error("there is a provider");
afterAll(() => mailer.close());
beforeEach(() => {
  server.mood = "accept";
});

const mail: Mail = {
  to: "ann@example.org",
  subject: "Grüße",
  text: "Open\nhttps://shop.example/auth/verify-email?token=a.b-c_d\n",
  html: '<p>Open <a href="https://shop.example/?token=x">it</a></p>',
};

describe("over SMTP", () => {
  test("a mail arrives with both bodies, from the configured sender", async () => {
    await mailer.send(mail);
    const got = await server.next("ann@example.org");
    expect(got).toMatchObject({
      to: ["ann@example.org"],
      from: "no-reply@shop.example",
      subject: "Grüße",
      link: "https://shop.example/auth/verify-email?token=a.b-c_d",
      parsed: {
        from: { name: "Book shop", address: "no-reply@shop.example" },
        to: [{ name: "", address: "ann@example.org" }],
      },
    });
    expect(got.html).toContain('href="https://shop.example/?token=x"');
    expect(got.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(got.raw).not.toMatch(/^Reply-To:/im);
  });

  test("replies go to email.reply_to", async () => {
    const settings = { ...email, replyTo: "help@shop.example", smtpUrl: server.url };
    const other = createMailer({ root: "/unused", production: true, email: settings }, silent);
    await other?.send({ ...mail, to: "reply@example.org" });
    other?.close();
    const { parsed } = await server.next("reply@example.org");
    expect(parsed.replyTo).toEqual([{ name: "", address: "help@shop.example" }]);
  });

  test("international addresses are reached", async () => {
    await mailer.send({ ...mail, to: "jörg@example.org" });
    expect((await server.next("jörg@example.org")).parsed.to?.[0]?.address).toBe("jörg@example.org");
  });

  test("many at once all arrive", async () => {
    const addresses = Array.from({ length: 30 }, (_, index) => `reader${index}@example.org`);
    await Promise.all(addresses.map((to) => mailer.send({ ...mail, to })));
    for (const to of addresses) expect((await server.next(to)).to).toEqual([to]);
  });

  test.each([
    "ann@example.org, eve@evil.example",
    "ann@example.org\r\nRCPT TO:<eve@evil.example>",
    "Ann <ann@example.org>",
    "",
  ])("%j is not a recipient", async (to) => {
    const before = server.mails.length;
    await expect(mailer.send({ ...mail, to })).rejects.toThrow("not one plain address");
    expect(server.mails).toHaveLength(before);
  });

  test("headers cannot be injected through a subject or the sender's name", async () => {
    const from = "Shop\r\nBcc: eve@evil.example\r\n <no-reply@shop.example>";
    const hostile = smtpTransport(server.url, {
      from: { ...sender.from, name: "S\r\nBcc: eve@evil.example" },
    });
    const subject = "Hi\r\nBcc: eve@evil.example\r\n\r\n<h1>owned</h1>\u2028X: y";
    await hostile.send({ ...mail, to: "bob@example.org", subject });
    hostile.close();
    const got = await server.next("bob@example.org");
    expect(got.to).toEqual(["bob@example.org"]);
    expect(got.parsed.bcc).toBeUndefined();
    expect(got.raw).not.toMatch(/^(bcc|x):/im);
    expect(got.subject).toBe("Hi Bcc: eve@evil.example <h1>owned</h1> X: y");
    const read = readSenders(from, null).from;
    expect(read.address).toBe("no-reply@shop.example");
    expect(read.name).not.toMatch(/[\r\n]/);
  });

  test("nor through a template that is filled with hostile text", async () => {
    const inject = "x\r\nBcc: eve@evil.example\r\n\r\n<script>alert(1)</script>";
    const values = {
      service: inject,
      link: "https://shop.example/",
      first_name: inject,
      expires_in: "1 hour",
    };
    const to = "carol@example.org";
    await mailer.send({
      to,
      ...loadMailTemplates("/nowhere").render("verify-email", { ...values, email: to }),
    });
    const got = await server.next(to);
    expect(got.to).toEqual([to]);
    // biome-ignore format: many a line
    expect(got.parsed.headers.map(({ key }) => key).sort()).toEqual([
      "auto-submitted", "content-type", "date", "from", "message-id", "mime-version", "subject", "to",
    ]);
    expect(got.html).not.toContain("<script>");
  });

  test("a refusal rejects, and the next mail goes through", async () => {
    server.mood = "refuse";
    await expect(mailer.send(mail)).rejects.toMatchObject({ responseCode: 550 });
    server.mood = "accept";
    await mailer.send({ ...mail, to: "after@example.org" });
    await server.next("after@example.org");
  });

  test("an error repeats nothing of the server's text: neither the address nor a line of the mail", async () => {
    const strict = await testSmtp({
      onRcptTo({ address }, _session, done) {
        if (address.startsWith("known")) done();
        else done(Object.assign(new Error(`5.1.1 <${address}>: no such user`), { responseCode: 550 }));
      },
    });
    strict.mood = "refuse";
    strict.refusal = "5.7.1 blocked for https://shop.example/?token=t0ken";
    const transport = smtpTransport(strict.url, sender);
    for (const [to, status] of [
      ["unknown@example.org", "5.1.1"],
      ["known@example.org", "5.7.1"],
    ] as const) {
      const error: unknown = await transport.send({ ...mail, to }).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ message: expect.stringContaining(`550 ${status}`), responseCode: 550 });
      expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/known@example|t0ken/);
    }
    transport.close();
  });

  test("a silent server is given up", async () => {
    const stalled = await testSmtp();
    stalled.mood = "stall";
    const impatient = smtpTransport(stalled.url, sender, 1000);
    await expect(impatient.send(mail)).rejects.toThrow("did not accept the mail within 1000 ms");
    stalled.mood = "accept";
    await impatient.send(mail);
    impatient.close();
    await stalled.next(mail.to);
  });

  test("a server that is not there", async () => {
    const nowhere = smtpTransport("smtp://127.0.0.1:1", sender);
    await expect(nowhere.send(mail)).rejects.toThrow(/ECONNREFUSED/);
    nowhere.close();
  });
});

describe("TLS", () => {
  test("an untrusted certificate is refused before a password is sent", async () => {
    for (const options of [
      { ...certificate, disabledCommands: [] },
      { ...certificate, secure: true },
    ]) {
      const own = await testSmtp(options);
      const transport = smtpTransport(own.url.replace("://", "://ann:s3cret@"), sender);
      await expect(transport.send(mail)).rejects.toThrow(/self.signed|certificate/i);
      transport.close();
      expect(own.login).toBe(null);
    }
  });

  test("with TLS the password is sent, and the mail arrives", async () => {
    for (const options of [
      { ...certificate, disabledCommands: [] },
      { ...certificate, secure: true },
    ]) {
      const own = await testSmtp(options);
      const url = `${own.url.replace("://", "://ann:s3%2Fcret@")}?tls.rejectUnauthorized=false`;
      const transport = smtpTransport(url, sender);
      await transport.send(mail);
      transport.close();
      expect(own.login).toBe("ann:s3/cret");
      expect(own.mails).toHaveLength(1);
    }
  });

  test.each([
    ["smtp://u:p@mail.example", true],
    ["smtp://mailpit:1025", false],
    ["smtp://u:p@localhost:25", false],
    ["smtp://u:p@127.0.0.1", false],
    ["smtp://u:p@[::1]", false],
    ["smtp://u:p@127.evil.example", true],
  ])("%s needs TLS: %s", (url, expected) => {
    expect(smtpOptions(url).requireTLS).toBe(expected);
  });
});

test("no provider, no mailer", () => {
  const none = { ...email, provider: null, smtpUrl: server.url };
  expect(createMailer({ root: "/unused", production: true, email: none }, silent)).toBe(null);
});

test("an invalid address or URL keeps the service from starting", () => {
  const create = (settings: object) =>
    createMailer(
      { root: "/unused", production: true, email: { ...email, smtpUrl: server.url, ...settings } },
      silent,
    );
  expect(() => create({ from: "Shop", replyTo: "a@b.example, c@d.example" })).toThrow(
    expect.objectContaining({
      problems: [expect.stringMatching(/^email\.from must/), expect.stringMatching(/^email\.reply_to must/)],
    }),
  );
  expect(() => create({ smtpUrl: "smtp://u:hidden@[" })).toThrow(/SERVICE_SMTP_URL is not a URL$/);
});

const outboxMail: Mail = {
  to: "ann@example.org",
  subject: "Confirm your address — Böök",
  text: `Grüße\n\nhttps://shop.example/auth/verify-email?token=${"a1-_".repeat(40)}\n`,
  html: `<p>Grüße <a href="https://shop.example/?token=${"a1-_".repeat(40)}">x</a></p>`,
};

let root: string;

let lines: string[];

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

describe("the provider log", () => {
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "kirak-outbox-"));
    lines = [];
  });

  afterEach(() => rmSync(root, { recursive: true }));

  test("a mail becomes a file that mail programs open and people can read", async () => {
    await outbox().send(outboxMail);
    const [name = ""] = readdirSync(folder());
    const content = readFileSync(join(folder(), name));
    const parsed = await PostalMime.parse(content);
    expect(parsed).toMatchObject({ subject: outboxMail.subject, to: [{ address: "ann@example.org" }] });
    expect(parsed.text?.trim()).toBe(outboxMail.text.trim());
    expect(parsed.html?.trim()).toBe(outboxMail.html);
    expect(content.toString()).toContain(outboxMail.text.trim());
  });

  test("a mail that has no page is whole as well", async () => {
    await outbox().send({ ...outboxMail, html: null, text: "Größe: 7\n\nhttps://example.org/?token=x=\n" });
    const [name = ""] = readdirSync(folder());
    const content = readFileSync(join(folder(), name));
    const parsed = await PostalMime.parse(content);
    expect(parsed).toMatchObject({ subject: outboxMail.subject, to: [{ address: "ann@example.org" }] });
    expect(parsed.html).toBeUndefined();
    expect(parsed.text).toBe("Größe: 7\n\nhttps://example.org/?token=x=\n");
    expect(content.toString()).toContain("Größe: 7\n\nhttps://example.org/?token=x=\n");
  });

  test("only the owner can read the folder and its files; the permissions of its parent stay", async () => {
    await outbox().send(outboxMail);
    const [name = ""] = readdirSync(folder());
    expect(statSync(folder()).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder(), name)).mode & 0o777).toBe(0o600);
    expect(statSync(join(root, "var/kirak")).mode & 0o055).not.toBe(0);
  });

  test("mails are paced before they reach the provider", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const mailer = outbox(false, 1);
    await mailer.send(outboxMail);
    expect(vi.getTimerCount()).toBe(1);
    const second = mailer.send(outboxMail);
    await vi.advanceTimersByTimeAsync(999);
    expect(readdirSync(folder())).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    await second;
    expect(readdirSync(folder())).toHaveLength(2);
  });

  test("names are unique and sort by time, and no draft stays", async () => {
    const mailer = outbox();
    for (const subject of ["1", "2", "3"]) await mailer.send({ ...outboxMail, subject });
    await Promise.all(Array.from({ length: 20 }, () => mailer.send(outboxMail)));
    const names = readdirSync(folder()).sort();
    expect(names).toHaveLength(23);
    expect(names.every((name) => /^\d{8}T\d{9}Z-\d{6}-[0-9a-f]{8}\.eml$/.test(name))).toBe(true);
    const subjects = names
      .slice(0, 3)
      .map((name) => /^Subject: (.*)$/m.exec(readFileSync(join(folder(), name), "utf8"))?.[1]);
    expect(subjects).toEqual(["1", "2", "3"]);
  });

  test("the log holds file and subject, but neither address nor link", async () => {
    await outbox().send(outboxMail);
    const [name = ""] = readdirSync(folder());
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      msg: "mail written to the outbox",
      subject: outboxMail.subject,
      file: `var/kirak/outbox/${name}`,
      to: "[masked]",
    });
    expect(lines.join()).not.toMatch(/ann@|a1-_/);
  });

  test("a production is warned, since nothing is sent", () => {
    outbox(true);
    expect(lines).toEqual([expect.stringContaining("not sent")]);
  });
});
