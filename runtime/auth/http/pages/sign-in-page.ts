import { type Page, page } from "../../../pages/index.ts";
import { emailField } from "./ask-form.ts";
import { type Beginning, signInScript } from "./sign-in-script.ts";

/** A field of a form, and its label. */
function field(id: string, label: string, attributes: string, errorId: string): string {
  return `<label for="${id}">${label}</label>
<input id="${id}" ${attributes} aria-describedby="${errorId}">`;
}

/** A field for a code of the second factor, which is shown once it is asked for. */
function factorField(group: string, id: string, errorId: string): string {
  const attributes = 'name="mfa_code" type="text" autocomplete="one-time-code" autocapitalize="none"';
  return `<div id="${group}" hidden>
${field(id, "Code of the second factor, or a backup code", attributes, errorId)}
</div>`;
}

const password = (autocomplete: string) =>
  `name="password" type="password" autocomplete="${autocomplete}" aria-required="true"`;
const digits = 'type="text" inputmode="numeric" autocomplete="one-time-code" aria-required="true"';

/** What a form says of its last request. */
function outcome(errorId: string): string {
  return `<p id="${errorId}" class="error" role="alert"></p>`;
}
const done = '<p class="done" role="status" tabindex="-1"></p>';

const ways = `<div id="ways" hidden>
<section id="login" aria-labelledby="login-title">
<h2 id="login-title">With a password</h2>
<form novalidate>
${emailField("login_email", "login-error", "username")}
${field("login_password", "Password", password("current-password"), "login-error")}
${factorField("login-factor", "login_mfa", "login-error")}
${outcome("login-error")}
<button type="submit">Sign in</button>
</form>
<button id="resend" class="plain" type="button" hidden>Send a new link that verifies the address</button>
${done}
<p><a href="forgot-password">Forgot your password?</a></p>
</section>
<section id="phone" aria-labelledby="phone-title">
<h2 id="phone-title">With a one-time code</h2>
<form novalidate>
${field("phone_number", "Phone number", 'name="phone_number" type="text" inputmode="tel" autocomplete="tel" aria-required="true"', "phone-error")}
${outcome("phone-error")}
<button type="submit">Send a code</button>
</form>
${done}
</section>
<section id="code" aria-label="The one-time code" hidden>
<form novalidate>
${field("otp", "Code of the text message", `name="otp" ${digits}`, "code-error")}
${factorField("code-factor", "code_mfa", "code-error")}
${outcome("code-error")}
<button type="submit">Sign in with the code</button>
</form>
</section>
<section aria-labelledby="providers-title">
<h2 id="providers-title">With an account elsewhere</h2>
<p id="no-providers" class="hint" hidden>None is declared: auth.social_providers in models/manifest.json names providers.</p>
<ul id="providers"></ul>
</section>
<section id="register" aria-labelledby="register-title">
<h2 id="register-title">Register</h2>
<form novalidate>
${emailField("register_email", "register-error")}
${field("register_password", "New password", password("new-password"), "register-hint register-error")}
<p id="register-hint" class="hint">At least 12 characters.</p>
${outcome("register-error")}
<button type="submit">Register</button>
</form>
${done}
</section>
</div>`;

const account = `<section id="account" aria-labelledby="who" hidden>
<h2 id="who" tabindex="-1"></h2>
<dl id="facts"></dl>
<button id="renew" class="plain" type="button">Renew the tokens</button>
<button id="leave" class="plain" type="button">Sign out</button>
<h2 id="factor-title">Second factor</h2>
<button id="set-up" class="plain" type="button">Set up a second factor</button>
<div id="secret" hidden>
<p>Enter this in an authenticator app, and keep the backup codes. Neither is shown again.</p>
<p><code id="uri"></code></p>
<ul id="backup" aria-label="Backup codes"></ul>
</div>
<section id="factor" aria-labelledby="factor-title">
<form novalidate>
${field("factor_code", "Code of the app, or a backup code", `name="code" type="text" autocomplete="one-time-code" autocapitalize="none" aria-required="true"`, "factor-error")}
${outcome("factor-error")}
<button type="submit">Turn it on</button>
<button id="turn-off" class="plain" type="button">Turn it off</button>
</form>
${done}
</section>
</section>`;

const main = `<h1>Sign in</h1>
<p class="hint">A page to try accounts with while you develop. In production it is not there.</p>
<noscript><p>This page needs JavaScript. Please allow it, and load the page again.</p></noscript>
<p id="problem" class="error" role="alert"></p>
${account}
${ways}
`;

/** The page of `GET /auth/sign-in`: every way into an account. `beginnings` are of the providers that need more than a button. */
export function signInPage(beginnings: Readonly<Record<string, Beginning>>): Page {
  return page({ title: "Sign in", main, script: signInScript(beginnings) });
}
