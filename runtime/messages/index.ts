/** Mails and text messages that code of one's own sends: by jobs, so that none is lost, and none goes without the commit. */
export { type MailForCodeOptions, mailForCode } from "./mail-for-code.ts";
export { type MessageJob, type MessageProviders, messageJobs } from "./message-jobs.ts";
export type { EnqueueMessage } from "./message-queue.ts";
export { type SmsForCodeOptions, smsForCode } from "./sms-for-code.ts";
