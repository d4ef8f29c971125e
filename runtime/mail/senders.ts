import { createRequire } from "node:module";
import { ConfigError } from "../config/index.ts";
import { oneAddress } from "./address.ts";
import { oneLine } from "./mail.ts";

const require = createRequire(import.meta.url);
/** Loaded where mails leave the service. */
const loadParser = (): typeof import("nodemailer/lib/addressparser") =>
  require("nodemailer/lib/addressparser");

/** One mailbox, with or without a name. */
export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

/** Who mails come from. */
export interface Senders {
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
