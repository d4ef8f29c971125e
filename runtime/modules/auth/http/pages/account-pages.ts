import { notice, type Page, page } from "../../../../core/pages/index.ts";
import type { VerificationOutcome } from "../../registration/verify-email.ts";
import { formScript } from "./form-script.ts";

// A text field, because browsers change or refuse international addresses in an e-mail field.
const attributes =
  'type="text" inputmode="email" autocapitalize="none" spellcheck="false" aria-required="true"';

/** A field for an e-mail address, and its label. */
export function emailField(id: string, errorId: string, autocomplete = "email"): string {
  return `<label for="${id}">E-mail address</label>
<input id="${id}" name="email" ${attributes} autocomplete="${autocomplete}" aria-describedby="${errorId}">`;
}

/** A form that requests a link by mail, with an element that shows the result. */
function askForm({ intro, button }: { readonly intro: string; readonly button: string }): string {
  return `<form novalidate>
<p>${intro}</p>
${emailField("email", "ask-error")}
<p id="ask-error" class="error" role="alert"></p>
<button type="submit">${button}</button>
</form>
<p class="done" role="status" tabindex="-1"></p>`;
}

/** The result that the page of a verification link shows; `unavailable` if the link cannot be checked now. */
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
    "Your e-mail address is already confirmed",
    "There is nothing left to do. You can close this page and sign in.",
  ),
  invalid,
  unavailable: notice(
    "That did not work",
    "The link is fine, but our server has a problem. Please open the link again in a few minutes.",
  ),
};

/** The page of `GET /auth/verify-email`. For an invalid link it offers a new one. */
export function verificationPage(outcome: ShownOutcome): Page {
  return verification[outcome];
}

const tooManyRequests = notice(
  "Too many requests",
  "Your network sent too many requests in a short time. Please wait a little, then load this page again.",
);

/** The page of a 429 response. */
export function tooManyRequestsPage(): Page {
  return tooManyRequests;
}

/**
 * The script of the reset page, as it runs in browsers. With `?token=` it shows the form for a new password,
 * and removes the token from the address bar and the history. Otherwise it shows the form for a link.
 */
const forgotPasswordScript = formScript(`
  const token = takeToken();
  const shown = token
    ? passwordByLink(byId("set"), "reset-password", token, "Your new password is set. You can sign in with it now.")
    : askByMail(byId("ask"), "request-reset-password");
  serve(shown);
  document.title = shown.part.querySelector("h1").textContent;
  shown.first.focus();
`);

const ask = askForm({
  intro:
    "Enter the e-mail address of your account. If the account exists, you will get a link that lets you set a new password.",
  button: "Send the link",
});

/** A form for a new password, with an element that shows the result. `more` ends the form. */
function formForPassword(more: string): string {
  return `<form novalidate>
<label for="new_password">New password</label>
<input id="new_password" name="new_password" type="password" autocomplete="new-password" aria-required="true" aria-describedby="set-hint set-error">
<p id="set-hint" class="hint">At least 12 characters.</p>
<label for="confirm_password">Repeat the new password</label>
<input id="confirm_password" name="confirm_password" type="password" autocomplete="new-password" aria-required="true" aria-describedby="set-error">
<label class="check"><input id="show" type="checkbox" autocomplete="off">Show the passwords</label>
<p id="set-error" class="error" role="alert"></p>
<button type="submit">Set the password</button>
${more}</form>
<p class="done" role="status" tabindex="-1"></p>`;
}

/** The form of an invitation. */
export const passwordForm = formForPassword("");

const main = `<noscript><h1>Reset your password</h1><p>This page needs JavaScript. Please allow it, and load the page again.</p></noscript>
<section id="ask" hidden>
<h1>Forgot your password?</h1>
${ask}
</section>
<section id="set" hidden>
<h1>Set a new password</h1>
${formForPassword('<p>The link does not work? <a href="forgot-password">Ask for a new one</a>.</p>\n')}
</section>
`;

const forgotPassword = page({ title: "Reset your password", main, script: forgotPasswordScript });

/** The page of `GET /auth/forgot-password`: requests a link, or with a token sets a new password. */
export function forgotPasswordPage(): Page {
  return forgotPassword;
}
