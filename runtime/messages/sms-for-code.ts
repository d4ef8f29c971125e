import { randomUUID } from "node:crypto";
import type { CodeScope, CodeSms } from "../context/index.ts";
import { ServiceError } from "../errors/index.ts";
import { phoneNumberOf } from "../sms/index.ts";
import { smsJob } from "./message-jobs.ts";
import { type EnqueueMessage, messageInQueue } from "./message-queue.ts";

export interface SmsForCodeOptions {
  /** Whether a provider is set. */
  readonly hasProvider: boolean;
  readonly enqueue: EnqueueMessage;
}

/** `context.sms` of code that runs in a transaction, or outside any. */
export function smsForCode({ hasProvider, enqueue }: SmsForCodeOptions): (scope: CodeScope) => CodeSms {
  return ({ transaction }) => ({
    async send({ to, text }: { readonly to: unknown; readonly text: unknown }) {
      const number = typeof to === "string" ? phoneNumberOf(to) : null;
      if (number === null)
        throw new Error("`to` of a text message must be a phone number in international notation");
      if (typeof text !== "string" || text === "") throw new Error("`text` of a text message must be a text");
      if (!hasProvider)
        throw new ServiceError("HTTP_ERROR", "This service sends no text messages.", undefined, {
          status: 503,
        });
      const payload = JSON.stringify({ id: randomUUID(), to: number, text });
      await enqueue(transaction, messageInQueue(smsJob, payload));
    },
  });
}
