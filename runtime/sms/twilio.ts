import { post } from "./post.ts";
import type { SmsSender } from "./sms.ts";

export interface TwilioOptions {
  readonly accountSid: string;
  readonly authToken: string;
  /** A number, a sender's name, or the SID of a messaging service. */
  readonly from: string;
  /** Of the API; for tests. */
  readonly origin?: string;
  /** Of one call; for tests. */
  readonly limitMs?: number;
}

const messagingService = /^MG[0-9a-f]{32}$/;

/** Sends through Twilio's REST API. Errors carry the status and Twilio's error code. */
export function twilioSender(options: TwilioOptions): SmsSender {
  const { accountSid, authToken, from, origin = "https://api.twilio.com", limitMs } = options;
  const url = `${origin}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`;
  const headers = {
    Authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}`,
    "Content-Type": "application/x-www-form-urlencoded",
  };
  const sender = messagingService.test(from) ? "MessagingServiceSid" : "From";
  return {
    async send({ to, text }) {
      const body = new URLSearchParams({ To: to, [sender]: from, Body: text }).toString();
      const refusal = await post("Twilio", url, { headers, body }, limitMs);
      if (refusal === null) return;
      throw new Error(`Twilio refused the message: status ${refusal.status}${errorCode(refusal.body)}`);
    },
  };
}

/** Of Twilio's error dictionary. Its message is left out: it repeats the phone number. */
function errorCode(body: string): string {
  const code = /"code"\s*:\s*(\d{1,6})\b/.exec(body)?.[1];
  return code === undefined ? "" : `, code ${code}`;
}
