import type { VerificationOutcome } from "../../registration/verify-email.ts";
import { notice, type Page } from "./page.ts";

/** What the page of a verification link says; `unavailable` where nobody can tell now. */
export type ShownOutcome = VerificationOutcome | "unavailable";

const verification: Readonly<Record<ShownOutcome, Page>> = {
  verified: notice("Your e-mail address is confirmed", "Thank you. You can close this page and sign in."),
  "already-verified": notice(
    "Your e-mail address was confirmed before",
    "There is nothing left to do. You can close this page and sign in.",
  ),
  invalid: notice(
    "This link does not work",
    "It may be incomplete, or too old: links work for 24 hours. Please copy the whole link from the mail. If that does not help, write to us for a new one.",
  ),
  unavailable: notice(
    "That did not work",
    "Nothing is wrong with the link: something is with our server. Please open it again in a few minutes.",
  ),
};

/** The page of `GET /auth/verify-email`. It runs no script. */
export function verificationPage(outcome: ShownOutcome): Page {
  return verification[outcome];
}

const tooManyRequests = notice(
  "Too many requests",
  "There were too many from your network within a short time. Please wait a little, then load this page again.",
);

/** In place of any page, where the limit of its route was exceeded. */
export function tooManyRequestsPage(): Page {
  return tooManyRequests;
}
