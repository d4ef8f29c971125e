import type { Logger } from "pino";
import { OutboxFolder } from "../mail/index.ts";
import type { SmsSender } from "./sms.ts";

/** The provider `log`: each message becomes a text file. The log names the file alone, as the message holds a code. */
export function outboxSender(root: string, log: Logger): SmsSender {
  const folder = new OutboxFolder(root);
  return {
    async send({ to, text }) {
      const file = await folder.write("txt", `To: ${to}\n\n${text}\n`);
      log.info({ file }, "text message written to the outbox");
    },
  };
}
