import { ServiceError } from "../errors/index.ts";

/** A URL whose percent-encoding makes no text. */
export function undecodableUrl(): ServiceError {
  return new ServiceError("VALIDATION_ERROR", "The URL cannot be decoded.");
}

/** Refuses a NUL character in a part of the URL that was decoded: nothing stores it (decisions, part 2). */
export function refuseNul(decoded: string): string {
  if (decoded.includes("\0")) throw new ServiceError("VALIDATION_ERROR", "The URL contains a NUL character.");
  return decoded;
}
