/** Mails and text messages that code of one's own sends: by jobs, so that none is lost, and none goes without the commit. */

export { type MessageJob, type MessageProviders, messageJobs } from "./message-jobs.ts";
export {
  type EnqueueMessage,
  type MailForCodeOptions,
  mailForCode,
  type SmsForCodeOptions,
  smsForCode,
} from "./messages-for-code.ts";
