export { phoneNumberOf } from "./international-number.ts";
export { createSmsSender, type Sms, type SmsConfig, type SmsSender } from "./sms-sender.ts";
