export { oneAddress } from "./address.ts";
export type { Mail, Mailer } from "./mail.ts";
export { loadMailTemplates, type MailName, type MailTemplates, type MailValues } from "./mail-templates.ts";
export { createMailer, type MailerConfig } from "./mailer.ts";
export { OutboxFolder } from "./outbox-folder.ts";
