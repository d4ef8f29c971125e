import { type Page, page } from "../../../pages/index.ts";
import { askForm } from "./ask-form.ts";
import { forgotPasswordScript } from "./forgot-password-script.ts";

const ask = askForm({
  intro:
    "Enter the e-mail address of your account. If there is one, you will get a link that lets you set a new password.",
  button: "Send the link",
});

const main = `<noscript><h1>Reset your password</h1><p>This page needs JavaScript. Please allow it, and load the page again.</p></noscript>
<section id="ask" hidden>
<h1>Forgot your password?</h1>
${ask}
</section>
<section id="set" hidden>
<h1>Set a new password</h1>
<form novalidate>
<label for="new_password">New password</label>
<input id="new_password" name="new_password" type="password" autocomplete="new-password" aria-required="true" aria-describedby="set-hint set-error">
<p id="set-hint" class="hint">At least 12 characters.</p>
<label for="confirm_password">New password, once more</label>
<input id="confirm_password" name="confirm_password" type="password" autocomplete="new-password" aria-required="true" aria-describedby="set-error">
<label class="check"><input id="show" type="checkbox" autocomplete="off">Show the passwords</label>
<p id="set-error" class="error" role="alert"></p>
<button type="submit">Set the password</button>
<p>The link does not work? <a href="forgot-password">Ask for a new one</a>.</p>
</form>
<p class="done" role="status" tabindex="-1"></p>
</section>
`;

const forgotPassword = page({ title: "Reset your password", main, script: forgotPasswordScript });

/** The page of `GET /auth/forgot-password`: asks for a link, or for a new password when it was opened by one. */
export function forgotPasswordPage(): Page {
  return forgotPassword;
}
