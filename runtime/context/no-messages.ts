import type { CodeMail, CodeSms } from "./code-mail.ts";

/** Mails of code that is run without a service around it. */
export const noMail = (): CodeMail => ({ send: refuse });

/** Its text messages. */
export const noSms = (): CodeSms => ({ send: refuse });

async function refuse(): Promise<never> {
  throw new Error("there is no queue for mails and text messages here: createServer() brings one");
}
