import { createRequire } from "node:module";
import type { Logger } from "pino";
import type { Mail, Mailer } from "./mail.ts";
import { message } from "./message.ts";
import { OutboxFolder } from "./outbox-folder.ts";
import type { Senders } from "./senders.ts";

const require = createRequire(import.meta.url);
/** Loaded with the first mail. */
const nodemailer = (): typeof import("nodemailer") => require("nodemailer");

/**
 * The provider `log`: each mail becomes an `.eml` file, and one line of the log names it. The text stays out of the log:
 * links in it carry tokens that sign somebody in, and logs are read by more people, and kept longer, than the folder.
 */
export function outboxTransport(root: string, senders: Senders, log: Logger): Mailer {
  const folder = new OutboxFolder(root);
  const open = () => nodemailer().createTransport({ streamTransport: true, buffer: true, newline: "unix" });
  let transport: ReturnType<typeof open> | null = null;
  return {
    async send(mail) {
      transport ??= open();
      const { message: content } = await transport.sendMail({ ...message(senders, mail), ...bodies(mail) });
      if (!Buffer.isBuffer(content)) throw new Error("the stream transport gave no buffer");
      const file = await folder.write("eml", mail.html === null ? withText(content, mail.text) : content);
      log.info({ to: mail.to, subject: mail.subject, file }, "mail written to the outbox");
    },
    close: () => transport?.close(),
  };
}

/** Without transfer encoding, so that whoever opens the file as text can copy a link. A body alone would take the place of the headers too. */
function bodies({ text, html }: Mail) {
  if (html === null) return { text: "" };
  const plain = (type: string, body: string) => ({
    raw: `Content-Type: ${type}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n${body}`,
  });
  return { text: plain("text/plain", text), html: plain("text/html", html) };
}

/** The headers of a mail without a text, and the text, as it is. */
function withText(content: Buffer, text: string): string {
  const [headers = ""] = content.toString("utf8").split("\n\n", 1);
  const encoding = "Content-Transfer-Encoding: ";
  return `${headers.replace(new RegExp(`^${encoding}.*$`, "m"), `${encoding}8bit`)}\n\n${text}`;
}
