export { oneAddress } from "./address.ts";
export { createMailer, type Mail, type Mailer, type MailerConfig } from "./mailer.ts";
export { OutboxFolder } from "./outbox-folder.ts";
export { loadMailTemplates, type MailName, type MailTemplates, type MailValues } from "./templates.ts";
