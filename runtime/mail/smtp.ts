import { createRequire } from "node:module";
import { isIP } from "node:net";
import type { SMTPPoolOptions } from "nodemailer";
import { ConfigError } from "../config/index.ts";
import type { Mailer } from "./mail.ts";
import { message } from "./message.ts";
import type { Senders } from "./senders.ts";

const require = createRequire(import.meta.url);
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
