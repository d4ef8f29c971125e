import type { Logger } from "pino";
import { paced } from "../concurrency/index.ts";
import type { Config } from "../config/index.ts";
import { oneAddress } from "./address.ts";
import type { Mail, Mailer } from "./mail.ts";
import { outboxTransport } from "./mail-outbox.ts";
import { readSenders } from "./senders.ts";
import { smtpTransport } from "./smtp.ts";

/** What a mailer needs of the configuration. */
export type MailerConfig = Pick<Config, "root" | "production" | "email">;

/** The mailer of `email.provider`; null where none is configured (decisions, part 7). Throws a ConfigError. */
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
  const send = paced((mail: Mail) => mailer.send(mail), maxPerSecond);
  return {
    async send(mail) {
      if (!oneAddress(mail.to)) throw new Error("the recipient of a mail is not one plain address");
      await send(mail);
    },
    close: () => mailer.close(),
  };
}
