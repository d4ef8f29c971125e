import { notice, type Page } from "./page.ts";

/** What came of opening a verification link. */
export type VerificationOutcome = "verified" | "already-verified" | "invalid" | "unavailable";

const pages: Readonly<Record<VerificationOutcome, Page>> = {
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
export function verificationPage(outcome: VerificationOutcome): Page {
  return pages[outcome];
}
