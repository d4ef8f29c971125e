import { domainToASCII } from "node:url";
import type { SendMailOptions } from "nodemailer";
import { type Mail, oneLine } from "./mail.ts";
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
