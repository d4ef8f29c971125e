import { randomBytes } from "node:crypto";
import { chmod, mkdir, rename, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { isIP } from "node:net";
import { join, relative } from "node:path";
import { domainToASCII } from "node:url";
import type { SendMailOptions, SMTPPoolOptions } from "nodemailer";
import type { Logger } from "pino";
import { throttle } from "../../core/concurrency/index.ts";
import { type Config, ConfigError } from "../../core/config/index.ts";
import { oneAddress } from "./address.ts";

/** What a mail says. Each body says the whole. */
export interface MailContent {
  readonly subject: string;
  readonly text: string;
  /** Null for plain text alone. */
  readonly html: string | null;
}

/** A mail to one person. */
export interface Mail extends MailContent {
  /** One plain address; anything else is refused. */
  readonly to: string;
  /** The same in each try to send it, such as a UUID, for its `Message-ID`; default a new one. */
  readonly id?: string;
}

/** What sends mails: a provider, as the service uses it. */
export interface Mailer {
  /** Resolves when the provider has taken the mail; rejects otherwise, 10 seconds after its turn at the latest. */
  send(mail: Mail): Promise<void>;
  /** Ends idle connections at once, busy ones after their mail. */
  close(): void;
}

/** A text as one line without control characters or marks that turn the direction of what follows. */
export function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, "")
    .trim();
}

const require = createRequire(import.meta.url);
/** Loaded where mails leave the service. */
const loadParser = (): typeof import("nodemailer/lib/addressparser") =>
  require("nodemailer/lib/addressparser");

/** One mailbox, with or without a name. */
interface Mailbox {
  readonly name: string;
  readonly address: string;
}

/** Who mails come from. */
interface Senders {
  readonly from: Mailbox;
  readonly replyTo?: Mailbox;
}

/** Reads `email.from` and `email.reply_to`. Throws a ConfigError that names the one that is no address. */
export function readSenders(from: string, replyTo: string | null): Senders {
  const problems: string[] = [];
  const read = (key: string, text: string) => mailbox(text) ?? report(problems, key);
  const senders = {
    from: read("email.from", from),
    ...(replyTo !== null && { replyTo: read("email.reply_to", replyTo) }),
  };
  if (problems.length > 0) throw new ConfigError(problems, []);
  return senders;
}

function mailbox(text: string): Mailbox | null {
  const [first, ...others] = loadParser().default(text, { flatten: true });
  if (first === undefined || others.length > 0 || !oneAddress(first.address)) return null;
  return { name: oneLine(first.name), address: first.address };
}

function report(problems: string[], key: string): Mailbox {
  // Without an example: standard error masks whatever looks like an address.
  problems.push(`${key} must be one e-mail address, alone or in < > after a name`);
  return { name: "", address: "" };
}

/**
 * A mail in the words of nodemailer, which encodes headers. Addresses go as objects, so that nobody parses them,
 * and content is never read from a file or a URL.
 */
function message(senders: Senders, mail: Mail): SendMailOptions {
  return {
    ...senders,
    to: { name: "", address: mail.to },
    subject: oneLine(mail.subject),
    text: mail.text,
    ...(mail.html !== null && { html: mail.html }),
    ...(mail.id !== undefined && { messageId: `<${mail.id}@${domainOf(senders)}>` }),
    // No out-of-office notes back (RFC 3834).
    headers: { "Auto-Submitted": "auto-generated" },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function domainOf({ from }: Senders): string {
  return domainToASCII(from.address.slice(from.address.lastIndexOf("@") + 1));
}

/** `var/kirak/outbox`: what development would have sent, one file a message, for its owner alone. */
export class OutboxFolder {
  readonly #root: string;
  #count = 0;

  /** `root` is the project's folder. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Writes one file, whole or not at all. Gives its path from the project's folder. Names sort by time. */
  async write(extension: "eml" | "txt", content: Buffer | string): Promise<string> {
    const folder = await this.#prepare();
    const moment = new Date().toISOString().replace(/[-:.]/g, "");
    this.#count++;
    const order = String(this.#count).padStart(6, "0");
    const name = `${moment}-${order}-${randomBytes(4).toString("hex")}.${extension}`;
    const draft = join(folder, `.${name}.draft`);
    await writeFile(draft, content, { mode: 0o600, flag: "wx" });
    await rename(draft, join(folder, name));
    return relative(this.#root, join(folder, name));
  }

  async #prepare(): Promise<string> {
    const home = join(this.#root, "var", "kirak");
    const folder = join(home, "outbox");
    // The folder around it stays open to others: the embedded PostgreSQL may run under another account.
    await mkdir(home, { recursive: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(folder, 0o700);
    return folder;
  }
}

/**
 * The provider `log`: each mail becomes an `.eml` file, and one line of the log names it. The text stays out of the log:
 * links in it carry tokens that sign somebody in, and logs are read by more people, and kept longer, than the folder.
 */
function outboxTransport(root: string, senders: Senders, log: Logger): Mailer {
  const folder = new OutboxFolder(root);
  const open = () => nodemailer().createTransport({ streamTransport: true, buffer: true, newline: "unix" });
  let transport: ReturnType<typeof open> | null = null;
  return {
    async send(mail) {
      transport ??= open();
      const { message: content } = await transport.sendMail({ ...message(senders, mail), ...bodies(mail) });
      if (!Buffer.isBuffer(content)) throw new Error("the stream transport gave no buffer");
      const file = await folder.write("eml", mail.html === null ? withText(content, mail.text) : content);
      log.info({ to: mail.to, subject: mail.subject, file }, "mail written to the outbox");
    },
    close: () => transport?.close(),
  };
}

/** Without transfer encoding, so that whoever opens the file as text can copy a link. A body alone would take the place of the headers too. */
function bodies({ text, html }: Mail) {
  if (html === null) return { text: "" };
  const plain = (type: string, body: string) => ({
    raw: `Content-Type: ${type}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n${body}`,
  });
  return { text: plain("text/plain", text), html: plain("text/html", html) };
}

/** The headers of a mail without a text, and the text, as it is. */
function withText(content: Buffer, text: string): string {
  const [headers = ""] = content.toString("utf8").split("\n\n", 1);
  const encoding = "Content-Transfer-Encoding: ";
  return `${headers.replace(new RegExp(`^${encoding}.*$`, "m"), `${encoding}8bit`)}\n\n${text}`;
}

/** Loaded where this provider is declared, and then at the start. */
const nodemailer = (): typeof import("nodemailer") => require("nodemailer");

const patienceMs = 10_000;

/** Sends by SMTP over a few connections that stay open. `limitMs` is for tests. */
export function smtpTransport(url: string, senders: Senders, limitMs = patienceMs): Mailer {
  const transport = nodemailer().createTransport(smtpOptions(url));
  return {
    async send(mail) {
      const signal = AbortSignal.timeout(limitMs);
      try {
        await transport.sendMail({ ...message(senders, mail), signal });
      } catch (error) {
        if (!signal.aborted) throw withoutWords(error);
        throw new Error(`the mail server did not take the mail within ${limitMs} ms`);
      }
    },
    close: () => transport.close(),
  };
}

/**
 * Options of a connection. Certificates are always checked. With a password in the URL, TLS must be there before it is
 * said, but on this machine itself: an attacker in between could hide STARTTLS. What the URL's query says wins.
 */
export function smtpOptions(url: string): SMTPPoolOptions & { pool: true } {
  // The text itself may hold a password, so no message repeats it.
  if (!URL.canParse(url)) throw new ConfigError(["SERVICE_SMTP_URL is not a URL"], []);
  const { hostname, username } = new URL(url);
  return {
    url,
    pool: true,
    requireTLS: username !== "" && !isLoopback(hostname),
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
    dnsTimeout: patienceMs,
    // An idle connection is closed before a server, or what stands between, forgets it.
    idleTimeout: 30_000,
    tls: { minVersion: "TLSv1.2" },
  };
}

function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

/** What a server is asked about one mail; else it is the sender, or the service, that it refuses. */
const aboutTheMail: readonly unknown[] = ["RCPT TO", "DATA"];

/** Whether a server has refused a mail so that it would do so again: its address, or what it says. */
export function isRefusedForGood(error: unknown): error is Error {
  if (!(error instanceof Error) || !("responseCode" in error) || !("command" in error)) return false;
  const { responseCode, command } = error;
  return typeof responseCode === "number" && responseCode >= 500 && aboutTheMail.includes(command);
}

/**
 * An error of nodemailer without what the server said: that repeats the address, or a line of the mail with its link, and
 * errors end in logs. The codes tell an operator what it was.
 */
function withoutWords(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, command, response, responseCode } = error as Error & Partial<Record<string, unknown>>;
  if (response === undefined && code !== "EENVELOPE") return error;
  const status = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(String(response))?.[1];
  const codes = [responseCode, status, code].filter((part) => part !== undefined).join(" ");
  return Object.assign(new Error(`the mail server refused the mail: ${codes}`), {
    code,
    command,
    responseCode,
  });
}

/** What a mailer needs of the configuration. */
export type MailerConfig = Pick<Config, "root" | "production" | "email">;

/** The mailer of `email.provider`; null where none is configured. Throws a ConfigError. */
export function createMailer(config: MailerConfig, log: Logger): Mailer | null {
  const { provider, from, replyTo, smtpUrl, maxPerSecond } = config.email;
  if (provider === null) return null;
  const senders = readSenders(from, replyTo);
  if (provider === "log") {
    if (config.production) log.warn("email.provider is log: mails are written to var/kirak/outbox, not sent");
    return guarded(outboxTransport(config.root, senders, log), maxPerSecond);
  }
  return smtpUrl === null ? null : guarded(smtpTransport(smtpUrl, senders), maxPerSecond);
}

/** The last gate: whatever a route let through, one mail goes to one mailbox. */
function guarded(mailer: Mailer, maxPerSecond: number | null): Mailer {
  const send = throttle((mail: Mail) => mailer.send(mail), maxPerSecond);
  return {
    async send(mail) {
      if (!oneAddress(mail.to)) throw new Error("the recipient of a mail is not one plain address");
      await send(mail);
    },
    close: () => mailer.close(),
  };
}
