import type { SendMailOptions } from "nodemailer";
import type { Mail } from "./mailer.ts";
import type { Senders } from "./senders.ts";

/**
 * A mail in the words of nodemailer, which encodes headers. Addresses go as objects, so that nobody parses them,
 * and content is never read from a file or a URL.
 */
export function message(senders: Senders, mail: Mail): SendMailOptions {
  return {
    ...senders,
    to: { name: "", address: mail.to },
    subject: oneLine(mail.subject),
    text: mail.text,
    html: mail.html,
    // No out-of-office notes back (RFC 3834).
    headers: { "Auto-Submitted": "auto-generated" },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** A text as one line without control characters or marks that turn the direction of what follows. */
export function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, "")
    .trim();
}
