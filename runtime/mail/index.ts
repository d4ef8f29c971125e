export { canonicalEmail, oneAddress } from "./address.ts";
export { type Mail, type MailContent, type Mailer, oneLine } from "./mail.ts";
export {
  loadMailTemplates,
  type MailName,
  type MailTemplates,
  type MailValues,
  mailTemplatesOf,
  requireMails,
  unsentMails,
} from "./mail-templates.ts";
export { createMailer, type MailerConfig } from "./mailer.ts";
export { OutboxFolder } from "./outbox-folder.ts";
export { isRefusedForGood } from "./smtp.ts";
