import { type Page, page } from "./page.ts";

/** What came of opening a verification link. */
export type VerificationOutcome = "verified" | "already-verified" | "invalid" | "unavailable";

const pages: Readonly<Record<VerificationOutcome, Page>> = {
  verified: said("Your e-mail address is confirmed", "Thank you. You can close this page and sign in."),
  "already-verified": said(
    "Your e-mail address was confirmed before",
    "There is nothing left to do. You can close this page and sign in.",
  ),
  invalid: said(
    "This link does not work",
    "It may be incomplete, or too old: links work for 24 hours. Please copy the whole link from the mail. If that does not help, write to us for a new one.",
  ),
  unavailable: said(
    "That did not work",
    "Nothing is wrong with the link: something is with our server. Please open it again in a few minutes.",
  ),
};

/** The page of `GET /auth/verify-email`. It runs no script. */
export function verificationPage(outcome: VerificationOutcome): Page {
  return pages[outcome];
}

function said(title: string, text: string): Page {
  return page({ title, main: `<h1>${title}</h1>\n<p>${text}</p>\n` });
}
