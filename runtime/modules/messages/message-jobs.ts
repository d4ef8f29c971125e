import { inputReader } from "../../models/validation/index.ts";
import { FinalFailure, type JobRun, type Runnable } from "../jobs/index.ts";
import { isRefusedForGood, type Mailer } from "../mail/index.ts";
import type { SmsSender } from "../sms/index.ts";

/** Names with a colon cannot collide with the app's jobs. */
export const mailJob = "kirak:mail";
export const smsJob = "kirak:sms";

/** Message providers; null if not configured. */
export interface MessageProviders {
  readonly mailer: Mailer | null;
  readonly sms: SmsSender | null;
}

export interface MessageJob extends Omit<Runnable, "run"> {
  run(run: Pick<JobRun, "payload" | "trace">): Promise<void>;
}

/** The default of the app's jobs. */
export const attempts = 10;

const usual = { attempts, timeoutMs: 60_000, cron: null, queue: null };
const text = { type: "string" };

/** Jobs that send messages. Without a provider they wait: workers only take jobs that they know. */
export function messageJobs({ mailer, sms }: MessageProviders): MessageJob[] {
  return [...(mailer === null ? [] : [mailJobOf(mailer)]), ...(sms === null ? [] : [smsJobOf(sms)])];
}

function mailJobOf(mailer: Mailer): MessageJob {
  return {
    ...usual,
    name: mailJob,
    read: inputReader({
      type: "object",
      required: ["id", "to", "subject", "text", "html"],
      properties: { id: text, to: text, subject: text, text, html: { type: ["string", "null"] } },
    }),
    run({ payload, trace }) {
      const sent = textsIn(payload);
      const { html } = Object(payload);
      const content = {
        subject: sent("subject"),
        text: sent("text"),
        html: html === null ? null : sent("html"),
      };
      const mail = { id: sent("id"), to: sent("to"), ...content, traceparent: trace.traceparent };
      return mailer.send(mail).catch((error: unknown) => {
        throw isRefusedForGood(error) ? new FinalFailure(error.message, { cause: error }) : error;
      });
    },
  };
}

function smsJobOf(sms: SmsSender): MessageJob {
  return {
    ...usual,
    name: smsJob,
    read: inputReader({
      type: "object",
      required: ["id", "to", "text"],
      properties: { id: text, to: text, text },
    }),
    run({ payload, trace: { traceparent } }) {
      const sent = textsIn(payload);
      return sms.send({ id: sent("id"), to: sent("to"), text: sent("text"), traceparent });
    },
  };
}

/** Reads a checked payload. */
function textsIn(payload: unknown): (key: string) => string {
  const given: Readonly<Record<string, unknown>> = Object(payload);
  return (key) => String(given[key]);
}
