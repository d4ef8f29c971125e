export { canonicalEmail, oneAddress } from "./address.ts";
export {
  loadMailTemplates,
  type MailName,
  type MailTemplates,
  type MailValues,
  mailTemplatesOf,
  requireMails,
  unsentMails,
} from "./mail-templates.ts";
export {
  createMailer,
  isRefusedForGood,
  type Mail,
  type MailContent,
  type Mailer,
  type MailerConfig,
  OutboxFolder,
  oneLine,
} from "./mailer.ts";
