import type { Logger } from "pino";
import { paced } from "../concurrency/index.ts";
import type { Config } from "../config/index.ts";
import { OutboxFolder } from "../mail/index.ts";
import type { Sms, SmsSender } from "./sms.ts";
import { twilioSender } from "./twilio.ts";
import { webhookSender } from "./webhook.ts";

/** What a sender needs of the configuration. */
export type SmsConfig = Pick<Config, "root" | "production" | "sms">;

/** The sender of `sms.provider`; null where none is configured, or it lacks a setting (decisions, part 7). */
export function createSmsSender(config: SmsConfig, log: Logger): SmsSender | null {
  const sender = senderOf(config, log);
  return sender === null ? null : { send: paced((sms: Sms) => sender.send(sms), config.sms.maxPerSecond) };
}

function senderOf(config: SmsConfig, log: Logger): SmsSender | null {
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

/** The provider `log`: each message becomes a text file. The log names the file alone, as the message holds a code. */
function outboxSender(root: string, log: Logger): SmsSender {
  const folder = new OutboxFolder(root);
  return {
    async send({ to, text }) {
      const file = await folder.write("txt", `To: ${to}\n\n${text}\n`);
      log.info({ file }, "text message written to the outbox");
    },
  };
}
