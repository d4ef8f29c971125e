import type { Logger } from "pino";
import type { Config } from "../config/index.ts";
import { oneAddress } from "./address.ts";
import { outboxTransport } from "./mail-outbox.ts";
import { readSenders } from "./senders.ts";
import { smtpTransport } from "./smtp.ts";

/** A mail to one person. Each body says the whole. */
export interface Mail {
  /** One plain address; anything else is refused. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface Mailer {
  /** Resolves when the provider has taken the mail; rejects otherwise, after 10 seconds at the latest. */
  send(mail: Mail): Promise<void>;
  /** Ends idle connections at once, busy ones after their mail. */
  close(): void;
}

/** What a mailer needs of the configuration. */
export type MailerConfig = Pick<Config, "root" | "production" | "email">;

/** The mailer of `email.provider`; null where none is configured (decisions, part 7). Throws a ConfigError. */
export function createMailer(config: MailerConfig, log: Logger): Mailer | null {
  const { provider, from, replyTo, smtpUrl } = config.email;
  if (provider === null) return null;
  const senders = readSenders(from, replyTo);
  if (provider === "log") {
    if (config.production) log.warn("email.provider is log: mails are written to var/kirak/outbox, not sent");
    return guarded(outboxTransport(config.root, senders, log));
  }
  return smtpUrl === null ? null : guarded(smtpTransport(smtpUrl, senders));
}

/** The last gate: whatever a route let through, one mail goes to one mailbox. */
function guarded(mailer: Mailer): Mailer {
  return {
    async send(mail) {
      if (!oneAddress(mail.to)) throw new Error("the recipient of a mail is not one plain address");
      await mailer.send(mail);
    },
    close: () => mailer.close(),
  };
}
