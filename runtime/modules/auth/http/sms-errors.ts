import { ServiceError } from "../../../core/errors/index.ts";
import type { SmsSender } from "../../sms/index.ts";

/** Returns the provider of text messages. Errors: 503 `HTTP_ERROR` without one. */
export function requireSms(sms: SmsSender | null): SmsSender {
  if (sms === null) throw unavailable("This service sends no text messages.");
  return sms;
}

/** 503 for a text message that the provider did not take. */
export function notSent(): ServiceError {
  return unavailable("The code could not be sent. Try again soon.");
}

function unavailable(message: string): ServiceError {
  return new ServiceError("HTTP_ERROR", message, undefined, { status: 503 });
}
