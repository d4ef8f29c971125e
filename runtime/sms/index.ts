export { createSmsSender, type Sms, type SmsConfig, type SmsSender } from "./sms.ts";
