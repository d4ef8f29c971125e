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

/** Content of a mail. Each body is complete. */
export interface MailContent {
  readonly subject: string;
  readonly text: string;
  /** Null for plain text only. */
  readonly html: string | null;
}

/** A mail to one recipient. */
export interface Mail extends MailContent {
  /** One plain address; others are refused. */
  readonly to: string;
  /** Basis of `Message-ID`, the same for each attempt; default a new UUID. */
  readonly id?: string;
  /** Of the distributed trace; default none. */
  readonly traceparent?: string | null;
}

/** A mail provider. */
export interface Mailer {
  /** Resolves when the provider accepts the mail; rejects at most 10 seconds after its turn. */
  send(mail: Mail): Promise<void>;
  /** Closes idle connections at once, busy ones after their mail. */
  close(): void;
}

/** One line without control characters and bidirectional marks. */
export function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, "")
    .trim();
}

const require = createRequire(import.meta.url);
/** Loaded lazily. */
const loadParser = (): typeof import("nodemailer/lib/addressparser") =>
  require("nodemailer/lib/addressparser");

/** A mailbox with an optional name. */
interface Mailbox {
  readonly name: string;
  readonly address: string;
}

interface Senders {
  readonly from: Mailbox;
  readonly replyTo?: Mailbox;
}

/** Parses `email.from` and `email.reply_to`. Throws a ConfigError that names the invalid key. */
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
  // Without an example: standard error masks e-mail addresses.
  problems.push(`${key} must be one e-mail address, which can be in < > after a name`);
  return { name: "", address: "" };
}

/** A nodemailer message. Addresses are objects, so nodemailer does not parse them; content is never a file or URL. */
function message(senders: Senders, mail: Mail): SendMailOptions {
  const { traceparent = null } = mail;
  return {
    ...senders,
    to: { name: "", address: mail.to },
    subject: oneLine(mail.subject),
    text: mail.text,
    ...(mail.html !== null && { html: mail.html }),
    ...(mail.id !== undefined && { messageId: `<${mail.id}@${domainOf(senders)}>` }),
    // Prevents out-of-office replies (RFC 3834).
    headers: { "Auto-Submitted": "auto-generated", ...(traceparent !== null && { traceparent }) },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function domainOf({ from }: Senders): string {
  return domainToASCII(from.address.slice(from.address.lastIndexOf("@") + 1));
}

/** `var/kirak/outbox`: messages of development, one file each, readable by its owner only. */
export class OutboxFolder {
  readonly #root: string;
  #count = 0;

  /** `root` is the project folder. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Writes one file atomically. Returns its path in the project. Names sort by time. */
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
    // The parent stays accessible: the embedded PostgreSQL can run as another user.
    await mkdir(home, { recursive: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(folder, 0o700);
    return folder;
  }
}

/** The provider `log`: writes `.eml` files and logs their names only, because links contain tokens. */
function outboxTransport(root: string, senders: Senders, log: Logger): Mailer {
  const folder = new OutboxFolder(root);
  const open = () => nodemailer().createTransport({ streamTransport: true, buffer: true, newline: "unix" });
  let transport: ReturnType<typeof open> | null = null;
  return {
    async send(mail) {
      transport ??= open();
      const { message: content } = await transport.sendMail({ ...message(senders, mail), ...bodies(mail) });
      if (!Buffer.isBuffer(content)) throw new Error("the stream transport returned no buffer");
      const file = await folder.write("eml", mail.html === null ? withText(content, mail.text) : content);
      log.info({ to: mail.to, subject: mail.subject, file }, "mail written to the outbox");
    },
    close: () => transport?.close(),
  };
}

/** Without transfer encoding, so that users can copy links from the file. */
function bodies({ text, html }: Mail) {
  if (html === null) return { text: "" };
  const plain = (type: string, body: string) => ({
    raw: `Content-Type: ${type}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n${body}`,
  });
  return { text: plain("text/plain", text), html: plain("text/html", html) };
}

/** Headers of an empty mail, and the text unchanged. */
function withText(content: Buffer, text: string): string {
  const [headers = ""] = content.toString("utf8").split("\n\n", 1);
  const encoding = "Content-Transfer-Encoding: ";
  return `${headers.replace(new RegExp(`^${encoding}.*$`, "m"), `${encoding}8bit`)}\n\n${text}`;
}

/** Loaded at startup if this provider is configured. */
const nodemailer = (): typeof import("nodemailer") => require("nodemailer");

const timeoutMs = 10_000;

/** Sends over pooled SMTP connections. `limitMs` is for tests. */
export function smtpTransport(url: string, senders: Senders, limitMs = timeoutMs): Mailer {
  const transport = nodemailer().createTransport(smtpOptions(url));
  return {
    async send(mail) {
      const signal = AbortSignal.timeout(limitMs);
      try {
        await transport.sendMail({ ...message(senders, mail), signal });
      } catch (error) {
        if (!signal.aborted) throw withoutWords(error);
        throw new Error(`the mail server did not accept the mail within ${limitMs} ms`);
      }
    },
    close: () => transport.close(),
  };
}

/** Connection options. Certificates are checked; passwords need TLS, except locally. The URL's query wins. */
export function smtpOptions(url: string): SMTPPoolOptions & { pool: true } {
  // The URL can contain a password, so messages do not repeat it.
  if (!URL.canParse(url)) throw new ConfigError(["SERVICE_SMTP_URL is not a URL"], []);
  const { hostname, username } = new URL(url);
  return {
    url,
    pool: true,
    requireTLS: username !== "" && !isLoopback(hostname),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    // Close idle connections before a server or firewall drops them.
    idleTimeout: 30_000,
    tls: { minVersion: "TLSv1.2" },
  };
}

function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

/** Commands about one mail; other refusals concern the sender or the service. */
const aboutTheMail: readonly unknown[] = ["RCPT TO", "DATA"];

/** Whether the server would refuse the mail again, for its address or content. */
export function isRefusedForGood(error: unknown): error is Error {
  if (!(error instanceof Error) || !("responseCode" in error) || !("command" in error)) return false;
  const { responseCode, command } = error;
  return typeof responseCode === "number" && responseCode >= 500 && aboutTheMail.includes(command);
}

/** A nodemailer error without the server's text, which can repeat the address or a link. Keeps codes. */
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

export type MailerConfig = Pick<Config, "root" | "production" | "email">;

/** The mailer of `email.provider`; null if it is not configured. Throws a ConfigError. */
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

/** Last check: each mail goes to one mailbox. */
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
