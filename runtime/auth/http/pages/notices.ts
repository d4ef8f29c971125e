import { notice, type Page, page } from "../../../pages/index.ts";
import type { VerificationOutcome } from "../../registration/verify-email.ts";
import { askForm } from "./ask-form.ts";
import { formScript } from "./form-script.ts";

/** What the page of a verification link says; `unavailable` where nobody can tell now. */
export type ShownOutcome = VerificationOutcome | "unavailable";

const invalid = page({
  title: "This link does not work",
  main: `<h1>This link does not work</h1>
<p>It may be incomplete, or too old: links work for 24 hours. Please copy the whole link from the mail, or ask for a new one.</p>
<noscript><p>To ask for a new one here, please allow JavaScript, and load the page again.</p></noscript>
<section id="ask" hidden>
${askForm({ intro: "Enter the e-mail address that you want to confirm.", button: "Send a new link" })}
</section>
`,
  script: formScript(`
  serve(askByMail(byId("ask"), "request-verification"));
`),
});

const verification: Readonly<Record<ShownOutcome, Page>> = {
  verified: notice("Your e-mail address is confirmed", "Thank you. You can close this page and sign in."),
  "already-verified": notice(
    "Your e-mail address was confirmed before",
    "There is nothing left to do. You can close this page and sign in.",
  ),
  invalid,
  unavailable: notice(
    "That did not work",
    "Nothing is wrong with the link: something is with our server. Please open it again in a few minutes.",
  ),
};

/** The page of `GET /auth/verify-email`. One that is no good asks whether a new one is wanted. */
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
