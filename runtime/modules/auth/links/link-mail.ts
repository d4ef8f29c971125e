import type { Logger } from "pino";
import { mailCounterKey, smsCounterKey } from "../../../../vocabulary/rate-limits.ts";
import type { Mailer, MailName, MailTemplates } from "../../mail/index.ts";
import type { RateLimiter } from "../../rate-limit/index.ts";

const lifetimes: Readonly<Record<MailName, string>> = {
  "verify-email": "24 hours",
  "reset-password": "1 hour",
};

interface LinkMailOptions {
  /** Whether a key to sign links is set. */
  readonly canSign: boolean;
  /** Null without a mail provider. */
  readonly mailer: Mailer | null;
  readonly templates: MailTemplates;
  /** The name of the service. */
  readonly service: string;
  /** Domain of generated e-mail addresses, which get no mail. */
  readonly placeholderDomain: string;
}

interface Recipient {
  readonly email: string | null;
  readonly firstName: string | null;
}

/** Mails signed links. */
export class LinkMail {
  readonly #options: LinkMailOptions;
  /** Why links cannot be mailed; null if they can. The text for logs, without secrets. */
  readonly obstacle: string | null;

  constructor(options: LinkMailOptions) {
    this.#options = options;
    const unsent = options.mailer === null ? "email.provider is not set" : null;
    this.obstacle = options.canSign ? unsent : "SERVICE_AUTH_VERIFICATION_KEY is not set";
  }

  /** Whether the address can receive mail. A placeholder of an account without an e-mail cannot. */
  reaches(email: string): boolean {
    return !email.endsWith(`@${this.#options.placeholderDomain.toLowerCase()}`);
  }

  /** Mails a link. Rejects without a recipient or provider, and if the provider refuses the mail. */
  async send(name: MailName, { email, firstName }: Recipient, link: string): Promise<void> {
    const { mailer, templates, service } = this.#options;
    if (mailer === null || email === null || !this.reaches(email))
      throw new Error("a link cannot be mailed: no recipient or no provider");
    const content = templates.render(name, {
      service,
      link,
      email,
      first_name: firstName,
      expires_in: lifetimes[name],
    });
    await mailer.send({ to: email, ...content });
  }
}

const windowSeconds = 60 * 60;

interface MessageLimitsOptions {
  readonly limiter: RateLimiter;
  /** `email.hourly_limit_per_recipient` */
  readonly mailsPerRecipient: number;
  /** `sms.hourly_limit_per_address` */
  readonly smsPerAddress: number;
}

/**
 * Limits the messages of the account routes per hour (docs/mail.md#limits-of-account-mails). Each
 * method counts one message and returns whether to send it. If not, it logs a line.
 */
export class MessageLimits {
  readonly #options: MessageLimitsOptions;

  constructor(options: MessageLimitsOptions) {
    this.#options = options;
  }

  async mayMail(email: string, log: Logger): Promise<boolean> {
    const { limiter, mailsPerRecipient: maxRequests } = this.#options;
    const quota = await limiter.take(mailCounterKey(email), { maxRequests, windowSeconds });
    if (quota === null || quota.retryAfter === null) return true;
    const recipient = email.replace(/(?<=^.).*(?=@)/u, "…");
    log.warn({ recipient }, `a mail was not sent: email.hourly_limit_per_recipient is ${maxRequests}`);
    return false;
  }

  async maySms(phone: string, address: string, log: Logger): Promise<boolean> {
    const { limiter, smsPerAddress: maxRequests } = this.#options;
    const quota = await limiter.take(smsCounterKey(address), { maxRequests, windowSeconds });
    if (quota === null || quota.retryAfter === null) return true;
    const recipient = `${phone.slice(0, 3)}…${phone.slice(-2)}`;
    log.warn({ recipient }, `a text message was not sent: sms.hourly_limit_per_address is ${maxRequests}`);
    return false;
  }
}
