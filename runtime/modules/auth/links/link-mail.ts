import type { Logger } from "pino";
import { mailCounterKey, smsCounterKey } from "../../../../vocabulary/rate-limits.ts";
import type { Trace } from "../../../core/concurrency/index.ts";
import type { MailContent, Mailer, MailName, MailTemplates, MailValues } from "../../mail/index.ts";
import type { RateLimiter } from "../../rate-limit/index.ts";

const lifetimes = {
  "verify-email": "24 hours",
  "reset-password": "1 hour",
  "change-email": "24 hours",
} as const satisfies Readonly<Partial<Record<MailName, string>>>;

type LinkMailName = keyof typeof lifetimes | "invitation";

/** A mail without a link. */
type NoticeName = Exclude<MailName, LinkMailName>;

/** The values that every mail has. */
type RecipientValues = MailValues<"change-email-taken">;

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
  readonly invitationDays: number;
}

interface Recipient {
  readonly email: string | null;
  readonly firstName: string | null;
}

/** Mails signed links, and notices to owners of accounts. */
export class LinkMail {
  readonly #options: LinkMailOptions;
  /** Why links cannot be mailed; null if they can. The text for logs, without secrets. */
  readonly obstacle: string | null;

  constructor(options: LinkMailOptions) {
    this.#options = options;
    const unsent = options.mailer === null ? "email.provider is not set" : null;
    this.obstacle = options.canSign ? unsent : "SERVICE_AUTH_VERIFICATION_KEY is not set";
  }

  /** Mails of a request carry the headers of its trace. */
  within(trace: Trace): LinkMail {
    const { mailer } = this.#options;
    if (mailer === null) return this;
    const send: Mailer["send"] = (mail) => mailer.send({ ...mail, traceparent: trace.traceparent });
    return new LinkMail({ ...this.#options, mailer: { ...mailer, send } });
  }

  /** Whether a mail provider is set. */
  get canSend(): boolean {
    return this.#options.mailer !== null;
  }

  /** Whether the address can receive mail. A placeholder of an account without an e-mail cannot. */
  reaches(email: string): boolean {
    return !email.endsWith(`@${this.#options.placeholderDomain.toLowerCase()}`);
  }

  /** Mails a link. Rejects without a recipient or provider, and if the provider refuses the mail. */
  async send(name: LinkMailName, to: Recipient, link: string): Promise<void> {
    const { templates, invitationDays: days } = this.#options;
    const expires_in = name === "invitation" ? (days === 1 ? "1 day" : `${days} days`) : lifetimes[name];
    await this.#deliver(to, (values) => templates.render(name, { ...values, link, expires_in }));
  }

  /** Mails a notice. Rejects like `send`. */
  async notify<Name extends NoticeName>(
    name: Name,
    to: Recipient,
    values: (recipient: RecipientValues) => MailValues<Name>,
  ): Promise<void> {
    await this.#deliver(to, (recipient) => this.#options.templates.render(name, values(recipient)));
  }

  async #deliver(
    { email, firstName }: Recipient,
    render: (values: RecipientValues) => MailContent,
  ): Promise<void> {
    const { mailer, service } = this.#options;
    if (mailer === null || email === null || !this.reaches(email))
      throw new Error("a mail cannot be sent: no recipient or no provider");
    await mailer.send({ to: email, ...render({ service, email, first_name: firstName }) });
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
