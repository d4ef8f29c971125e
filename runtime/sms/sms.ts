import type { Logger } from "pino";
import type { Config } from "../config/index.ts";
import { outboxSender } from "./sms-outbox.ts";
import { twilioSender } from "./twilio.ts";
import { webhookSender } from "./webhook.ts";

/** A text message to one phone number, in E.164. */
export interface Sms {
  readonly to: string;
  readonly text: string;
}

export interface SmsSender {
  /** Resolves when the provider has taken the message; rejects otherwise, after 10 seconds at the latest. */
  send(sms: Sms): Promise<void>;
}

/** What a sender needs of the configuration. */
export type SmsConfig = Pick<Config, "root" | "production" | "sms">;

/** The sender of `sms.provider`; null where none is configured, or it lacks a setting (decisions, part 7). */
export function createSmsSender(config: SmsConfig, log: Logger): SmsSender | null {
  const { provider, from, webhookUrl, webhookSecret, twilioAccountSid, twilioAuthToken } = config.sms;
  if (provider === "log") {
    if (config.production)
      log.warn("sms.provider is log: messages are written to var/kirak/outbox, not sent");
    return outboxSender(config.root, log);
  }
  if (provider === "webhook" && webhookUrl !== null && webhookSecret !== null)
    return webhookSender({ url: webhookUrl, secret: webhookSecret });
  if (provider === "twilio" && from !== null && twilioAccountSid !== null && twilioAuthToken !== null)
    return twilioSender({ accountSid: twilioAccountSid, authToken: twilioAuthToken, from });
  return null;
}
