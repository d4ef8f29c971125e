/** Mails and text messages of the app's code, sent by jobs after the commit. */

export { type MessageJob, type MessageProviders, messageJobs } from "./message-jobs.ts";
export {
  type EnqueueMessage,
  type MailForCodeOptions,
  mailForCode,
  type SmsForCodeOptions,
  smsForCode,
} from "./messages-for-code.ts";
