import type { Logger } from "pino";
import { mailCounterKey, smsCounterKey } from "../../../vocabulary/counter-keys.ts";
import type { RateLimiter } from "../../rate-limit/index.ts";

const windowSeconds = 60 * 60;

interface MessageLimitsOptions {
  readonly limiter: RateLimiter;
  /** `email.hourly_limit_per_recipient` */
  readonly mailsPerRecipient: number;
  /** `sms.hourly_limit_per_address` */
  readonly smsPerAddress: number;
}

/**
 * Bounds what the account routes send in an hour (docs/mail.md#how-much-the-account-routes-send). Each method counts one message and returns
 * whether to send it; if not, a line in the log says so.
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
