export { phoneNumberOf } from "./international-number.ts";
export type { Sms, SmsSender } from "./sms.ts";
export { createSmsSender, type SmsConfig } from "./sms-sender.ts";
