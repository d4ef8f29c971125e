import { errorCodes } from "../../../../../vocabulary/error-codes.ts";
import { type Page, page } from "../../../../core/pages/index.ts";
import { emailField } from "./account-pages.ts";
import { formScript } from "./form-script.ts";

/** How the page begins a sign-in at a provider that needs more than a button. */
interface Beginning {
  /** A parameter that the user has to enter; null if a page of the app begins the sign-in. */
  readonly parameter: string | null;
}

const messages = Object.fromEntries(Object.entries(errorCodes).map(([code, { message }]) => [code, message]));

/**
 * The script of the sign-in page, as it runs in browsers. It keeps tokens in memory only. First it removes
 * the token or error of a social sign-in from the address bar. It shows only the messages of known error
 * codes.
 */
function signInScript(beginnings: Readonly<Record<string, Beginning>>): string {
  return formScript(`
  const messages = ${literal(messages)};
  const beginnings = ${literal(beginnings)};

  const address = new URL(location.href);
  const brought = { token: address.searchParams.get("token"), error: address.searchParams.get("error") };
  if (brought.token !== null || brought.error !== null) {
    for (const name of Object.keys(brought)) address.searchParams.delete(name);
    history.replaceState(null, "", address);
  }

  let session = null;
  const bearer = () => ({ Authorization: "Bearer " + session.accessToken });
  const words = ({ message, error }) => (error ? message + " (" + error + ")" : message);
  const complain = (answer) => { byId("problem").textContent = words(answer); };
  const tell = (part, message) => {
    const done = part.querySelector(".done");
    done.textContent = message;
    done.focus();
  };
  const fail = (form, answer) => showError(form, { ...answer, message: words(answer) });

  const element = (name, text, properties = {}) =>
    Object.assign(document.createElement(name), { textContent: text }, properties);
  const expiry = (token) => {
    const [, claims = ""] = token.split(".");
    const { exp } = JSON.parse(atob(claims.replaceAll("-", "+").replaceAll("_", "/")));
    return "until " + new Date(exp * 1000).toLocaleString();
  };

  const show = (isSignedIn) => {
    byId("account").hidden = !isSignedIn;
    byId("ways").hidden = isSignedIn;
    for (const part of document.querySelectorAll(".error, .done")) part.textContent = "";
    for (const input of document.querySelectorAll("input")) {
      input.value = "";
      input.setAttribute("aria-invalid", "false");
    }
    for (const id of ["login-factor", "code-factor", "resend", "code", "secret"]) byId(id).hidden = true;
  };

  const enter = async ({ data }) => {
    const { accessToken, refreshToken } = data ?? {};
    if (!accessToken || !refreshToken) return complain({ message: "Signed in, but the answer has no tokens: a hook of the app removed them." });
    session = { accessToken, refreshToken };
    const me = await call("me", { headers: bearer() });
    if (!me.ok) return complain(me);
    const { user_id: id, email, role, first_name: first, last_name: last, is_verified: verified } = me.data;
    show(true);
    const facts = {
      "User id": id, "E-mail": email ?? "none", Name: [first, last].filter(Boolean).join(" ") || "none", Role: role,
      Verified: verified ? "yes" : "no", "Access token": expiry(accessToken), "Refresh token": expiry(refreshToken),
    };
    byId("facts").replaceChildren(
      ...Object.entries(facts).flatMap(([name, value]) => [element("dt", name), element("dd", String(value))]),
    );
    byId("who").textContent = "Signed in as " + (email ?? "user " + id);
    byId("who").focus();
  };

  const act = (id, work) => {
    const button = byId(id);
    let busy = false;
    button.addEventListener("click", async () => {
      if (busy) return;
      busy = true;
      button.setAttribute("aria-disabled", "true");
      byId("problem").textContent = "";
      await work();
      busy = false;
      button.removeAttribute("aria-disabled");
    });
  };

  const value = (id) => byId(id).value;
  const factorOf = (id) => (byId(id).value === "" ? {} : { mfa_code: byId(id).value });
  const askForFactor = (group, input) => (form, answer) => {
    if (answer.error !== "MFA_REQUIRED") return fail(form, answer);
    byId(group).hidden = false;
    fail(form, { ...answer, message: "This account has a second factor: enter its code." });
    byId(input).focus();
  };

  const login = {
    part: byId("login"), path: "login", first: byId("login_password"),
    fields: { email: byId("login_email"), password: byId("login_password"), mfa_code: byId("login_mfa") },
    body: () => ({ email: value("login_email"), password: value("login_password"), ...factorOf("login_mfa") }),
    succeed: (_, answer) => enter(answer),
    fail: (form, answer) => {
      byId("resend").hidden = answer.error !== "EMAIL_NOT_VERIFIED";
      askForFactor("login-factor", "login_mfa")(form, answer);
    },
  };
  const register = {
    part: byId("register"), path: "register", first: byId("register_password"),
    fields: { email: byId("register_email"), password: byId("register_password") },
    body: () => ({ email: value("register_email"), password: value("register_password") }),
    succeed: ({ part }, answer) => {
      const { accessToken, verification_email_sent: sent } = answer.data ?? {};
      if (accessToken) return enter(answer);
      tell(part, sent
        ? "Registered. Open the link in the mail, then sign in. With the provider log, it is in var/kirak/outbox."
        : "Registered, but no mail with a link was sent. The log has the reason.");
    },
    fail,
  };
  const phone = {
    part: byId("phone"), path: "request-otp", first: byId("phone_number"),
    fields: { phone_number: byId("phone_number") },
    body: () => ({ phone_number: value("phone_number") }),
    succeed: ({ part }) => {
      byId("code").hidden = false;
      tell(part, "The code is on its way. With the provider log, it is in var/kirak/outbox.");
      byId("otp").focus();
    },
    fail,
  };
  const code = {
    part: byId("code"), path: "verify-otp", first: byId("otp"),
    fields: { otp: byId("otp"), mfa_code: byId("code_mfa") },
    body: () => ({ phone_number: value("phone_number"), otp: value("otp"), ...factorOf("code_mfa") }),
    succeed: (_, answer) => enter(answer),
    fail: askForFactor("code-factor", "code_mfa"),
  };
  const factor = {
    part: byId("factor"), path: "verify-mfa", first: byId("factor_code"), headers: bearer,
    fields: { code: byId("factor_code") },
    body: () => ({ code: value("factor_code"), action: "activate" }),
    succeed: ({ part }, { message }) => tell(part, message),
    fail,
  };
  for (const form of [login, register, phone, code, factor]) serve(form);

  act("resend", async () => {
    const { ok, ...answer } = await post("request-verification", { email: value("login_email") });
    if (ok) tell(login.part, answer.message);
    else complain(answer);
  });
  act("renew", async () => {
    const answer = await post("refresh-token", { refreshToken: session.refreshToken });
    if (answer.ok) await enter(answer);
    else complain(answer);
  });
  act("leave", async () => {
    const answer = await post("logout", { token: session.refreshToken }, bearer());
    if (!answer.ok) return complain(answer);
    session = null;
    show(false);
    byId("login_email").focus();
  });
  act("set-up", async () => {
    const { ok, data, ...answer } = await post("setup-mfa", {}, bearer());
    if (!ok) return complain(answer);
    byId("uri").textContent = data.provisioning_uri;
    byId("backup").replaceChildren(...data.backup_codes.map((text) => element("li", text)));
    byId("secret").hidden = false;
    byId("factor_code").focus();
  });
  act("turn-off", async () => {
    const answer = await post("disable-mfa", { code: value("factor_code") }, bearer());
    if (answer.ok) tell(factor.part, answer.message);
    else fail(factor, answer);
  });

  const base64url = (bytes) =>
    btoa(String.fromCharCode(...new Uint8Array(bytes))).replace(/[+]/g, "-").replace(/[/]/g, "_").replace(/=+$/, "");
  const goTo = async (loginUrl, parameters) => {
    if (!window.crypto.subtle) return complain({ message: "To sign in with a provider, open this page over https or at localhost." });
    const url = new URL(loginUrl);
    // Only the tab that begins the sign-in can redeem its token.
    const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
    sessionStorage.setItem("kirak_code_verifier", verifier);
    const code_challenge = base64url(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier)));
    // Always below base_url, because the cookie of the sign-in is set there.
    const back = new URL("../sign-in", loginUrl).href;
    for (const [name, text] of Object.entries({ ...parameters, redirect_to: back, code_challenge })) url.searchParams.set(name, text);
    location.assign(url);
  };
  const providerEntry = ({ provider, title, login_url: url }) => {
    const entry = element("li", "");
    const begun = Object.hasOwn(beginnings, provider) ? beginnings[provider] : null;
    if (begun === null) {
      const button = element("button", "Continue with " + title, { type: "button" });
      button.addEventListener("click", () => goTo(url, {}));
      entry.append(button);
    } else if (begun.parameter === null) {
      entry.append(element("p", title + ": a page of the app begins this sign-in.", { className: "hint" }));
    } else {
      const input = element("input", "", { id: "provider_" + provider, type: "text", autocomplete: "off" });
      const form = element("form", "", { noValidate: true });
      form.append(
        element("label", begun.parameter + " for " + title, { htmlFor: input.id }), input,
        element("button", "Continue with " + title, { type: "submit" }),
      );
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        goTo(url, { [begun.parameter]: input.value });
      });
      entry.append(form);
    }
    return entry;
  };
  const listProviders = async () => {
    const { ok, data, ...answer } = await call("providers");
    if (!ok) return complain(answer);
    byId("no-providers").hidden = data.length > 0;
    byId("providers").replaceChildren(...data.map(providerEntry));
  };

  show(false);
  listProviders();
  const code_verifier = sessionStorage.getItem("kirak_code_verifier");
  sessionStorage.removeItem("kirak_code_verifier");
  if (brought.token !== null && code_verifier === null) complain({ message: "This sign-in began in another tab. Start it again here." });
  else if (brought.token !== null) post("verify-web-auth", { token: brought.token, code_verifier }).then((answer) => (answer.ok ? enter(answer) : complain(answer)));
  else if (brought.error !== null) {
    const known = Object.hasOwn(messages, brought.error);
    complain(known ? { message: messages[brought.error], error: brought.error } : { message: "The sign-in failed." });
  } else byId("login_email").focus();
`);
}

/** A JavaScript literal without `<`, so it cannot close the script element. */
function literal(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

/** A field of a form, and its label. */
function field(id: string, label: string, attributes: string, errorId: string): string {
  return `<label for="${id}">${label}</label>
<input id="${id}" ${attributes} aria-describedby="${errorId}">`;
}

/** A field for the code of the second factor, hidden until the server asks for a code. */
function factorField(group: string, id: string, errorId: string): string {
  const attributes = 'name="mfa_code" type="text" autocomplete="one-time-code" autocapitalize="none"';
  return `<div id="${group}" hidden>
${field(id, "Code of the second factor, or a backup code", attributes, errorId)}
</div>`;
}

const password = (autocomplete: string) =>
  `name="password" type="password" autocomplete="${autocomplete}" aria-required="true"`;
const digits = 'type="text" inputmode="numeric" autocomplete="one-time-code" aria-required="true"';

/** The element that shows the result of a form's last request. */
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
<button id="resend" class="plain" type="button" hidden>Send a new verification link</button>
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
${field("otp", "Code from the text message", `name="otp" ${digits}`, "code-error")}
${factorField("code-factor", "code_mfa", "code-error")}
${outcome("code-error")}
<button type="submit">Sign in with the code</button>
</form>
</section>
<section aria-labelledby="providers-title">
<h2 id="providers-title">With an account of a provider</h2>
<p id="no-providers" class="hint" hidden>No provider is declared. Add one to auth.social_providers in models/manifest.json.</p>
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
${field("factor_code", "Code from the app, or a backup code", `name="code" type="text" autocomplete="one-time-code" autocapitalize="none" aria-required="true"`, "factor-error")}
${outcome("factor-error")}
<button type="submit">Turn it on</button>
<button id="turn-off" class="plain" type="button">Turn it off</button>
</form>
${done}
</section>
</section>`;

const main = `<h1>Sign in</h1>
<p class="hint">This page is for testing accounts in development. It does not exist in production.</p>
<noscript><p>This page needs JavaScript. Please allow it, and load the page again.</p></noscript>
<p id="problem" class="error" role="alert"></p>
${account}
${ways}
`;

/** The page of `GET /auth/sign-in`. `beginnings` has the providers that need more than a button. */
export function signInPage(beginnings: Readonly<Record<string, Beginning>>): Page {
  return page({ title: "Sign in", main, script: signInScript(beginnings) });
}
