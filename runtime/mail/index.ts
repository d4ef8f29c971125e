export { oneAddress } from "./address.ts";
export { loadMailTemplates, type MailName, type MailTemplates, type MailValues } from "./mail-templates.ts";
export { createMailer, type Mail, type Mailer, type MailerConfig } from "./mailer.ts";
export { OutboxFolder } from "./outbox-folder.ts";
