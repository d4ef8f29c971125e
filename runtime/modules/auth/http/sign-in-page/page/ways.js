// @ts-check
import { ActionButton, Form, html, inputs, passwordField, section } from "./form.js";
import { Component, h } from "./packages/preact.js";
import { offersPasskeys, usePasskey } from "./passkeys.js";
import { goTo, providerList } from "./providers.js";

/** @import { Api } from "./api.js" */
/** @import { Field } from "./form.js" */
/** @import { Account, FormValues, ListedProvider, RefusedAnswer, Settings, SignInPath, TokensOfTab } from "./sign-in-types.ts" */

/**
 * @typedef {object} WaysProps
 * @property {Api} api
 * @property {Settings} settings
 * @property {readonly ListedProvider[]} providers
 * @property {Account["sign_in"] | null} ways of the account that signs in again; null for any account
 * @property {(tokens: Partial<TokensOfTab>) => Promise<void>} enter
 * @property {(problem: string) => void} complain
 */

/** @type {Field} */
const factorField = {
  name: "mfa_code",
  label: "Code of the second factor, or a backup code",
  input: { type: "text", autocomplete: "one-time-code", autocapitalize: "none" },
};

/** @typedef {WaysProps & { endOffer: () => void }} WayProps the browser asks for one passkey at a time: `endOffer` ends its offer */

/**
 * @typedef {object} SignInFormProps
 * @property {string} id
 * @property {SignInPath} path
 * @property {readonly Field[]} fields
 * @property {string} button
 * @property {FormValues} [also] more values of the body
 * @property {(failure: RefusedAnswer | null) => void} [onFailure]
 */

/**
 * A form that signs in. It asks for the second factor when the service does.
 *
 * @extends {Component<WayProps & SignInFormProps, { asksFactor: boolean, passkey: PublicKeyCredentialRequestOptionsJSON | null }>}
 */
class SignInForm extends Component {
  /** @override @type {{ asksFactor: boolean, passkey: PublicKeyCredentialRequestOptionsJSON | null }} */
  state = { asksFactor: false, passkey: null };

  /** @param {FormValues} values @param {object} more */
  async #send({ mfa_code = "", ...values }, more) {
    const { api, path, also, enter, onFailure } = this.props;
    onFailure?.(null);
    const body = { ...also, ...values, ...(mfa_code !== "" && { mfa_code }), ...more };
    const answer = await api.post(path, body);
    if (!answer.ok && answer.error === "MFA_REQUIRED")
      return { ...answer, message: "This account has a second factor: enter its code." };
    if (!answer.ok) return answer;
    await enter(answer.data ?? {});
    return null;
  }

  /** @param {PublicKeyCredentialRequestOptionsJSON} options @param {(more: object) => Promise<void>} send */
  async #usePasskey(options, send) {
    const { complain, endOffer } = this.props;
    endOffer();
    const passkey = await usePasskey(options);
    if (typeof passkey === "string") complain(passkey);
    else await send({ mfa_code: undefined, passkey });
  }

  /** @param {RefusedAnswer} failure */
  #fail(failure) {
    this.props.onFailure?.(failure);
    if (failure.error !== "MFA_REQUIRED") return null;
    this.setState({ asksFactor: true, passkey: failure.details.passkey_options ?? null });
    return factorField.name;
  }

  /** @override */
  render() {
    const { id, fields, button } = this.props;
    const { asksFactor, passkey } = this.state;
    return h(Form, {
      id,
      fields: asksFactor ? [...fields, factorField] : fields,
      button,
      send: (values, more) => this.#send(values, more),
      fail: (failure) => this.#fail(failure),
      more: (send) =>
        passkey &&
        h(ActionButton, {
          text: "Use a passkey as the second factor",
          act: () => this.#usePasskey(passkey, send),
        }),
    });
  }
}

/**
 * With a password. A user whose address is not verified can ask for another link.
 *
 * @extends {Component<WayProps, { needsLink: boolean, done: string }>}
 */
class PasswordWay extends Component {
  /** @override */
  state = { needsLink: false, done: "" };

  async #sendLink() {
    const email = document.getElementById("login_email");
    if (!(email instanceof HTMLInputElement)) return;
    const { ok, message } = await this.props.api.post("request-verification", { email: email.value });
    if (ok) this.setState({ done: message });
    else this.props.complain(message);
  }

  /** @override */
  render() {
    const { settings } = this.props;
    const { needsLink, done } = this.state;
    const autocomplete = settings.features.includes("passkeys") ? "username webauthn" : "username";
    const form = h(SignInForm, {
      ...this.props,
      id: "login",
      path: "login",
      fields: [
        { name: "email", label: "E-mail address", input: { ...inputs.email, autocomplete } },
        passwordField("password", "Password", "current-password"),
      ],
      button: "Sign in",
      onFailure: (failure) => this.setState({ needsLink: failure?.error === "EMAIL_NOT_VERIFIED", done: "" }),
    });
    return section(
      "login",
      "With a password",
      html`
        ${form}
        ${needsLink && h(ActionButton, { text: "Send a new verification link", act: () => this.#sendLink() })}
        ${done && html`<p class="done" role="status">${done}</p>`}
        <p><a href="forgot-password">Forgot your password?</a></p>`,
    );
  }
}

/**
 * @typedef {object} CodeWayProps
 * @property {string} id
 * @property {string} title
 * @property {Field} target
 * @property {"request-otp" | "request-email-code"} request
 * @property {SignInPath} path
 * @property {Field} code
 */

/**
 * With a code that is sent to a phone or an e-mail address.
 *
 * @extends {Component<WayProps & CodeWayProps, { target: FormValues | null }>}
 */
class CodeWay extends Component {
  /** @override @type {{ target: FormValues | null }} */
  state = { target: null };

  /** @override */
  render() {
    const { api, id, title, target, request, code } = this.props;
    const codeId = `${id}-code`;
    const focusCode = () => document.getElementById(`${codeId}_${code.name}`)?.focus();
    const send = async (/** @type {FormValues} */ values) => {
      const answer = await api.post(request, values);
      if (!answer.ok) return answer;
      this.setState({ target: values }, focusCode);
      return null;
    };
    const ask = h(Form, { id, fields: [target], button: "Send a code", send });
    const sent = this.state.target;
    return html`
      ${section(id, title, ask)}
      ${
        sent &&
        html`<section key=${codeId} aria-label=${`${title}: the code`}>
          <p role="status">The code is on its way. With the provider log, it is in var/kirak/outbox.</p>
          ${h(SignInForm, { ...this.props, id: codeId, fields: [code], button: "Sign in with the code", also: sent })}
        </section>`
      }`;
  }
}

/** @param {WaysProps} props */
function registration({ api, enter }) {
  return h(Form, {
    id: "register",
    fields: [
      { name: "email", label: "E-mail address", input: inputs.email },
      passwordField("password", "New password", "new-password"),
    ],
    button: "Register",
    send: async (values) => {
      const answer = await api.post("register", values);
      if (!answer.ok) return answer;
      if (answer.data?.accessToken) {
        await enter(answer.data);
        return null;
      }
      return answer.data?.verification_email_sent
        ? "Registered. Open the link in the mail, then sign in. With the provider log, it is in var/kirak/outbox."
        : "Registered, but no mail with a link was sent. The log has the reason.";
    },
  });
}

/** All ways to sign in. @extends {Component<WaysProps>} */
export class Ways extends Component {
  #offer = new AbortController();

  /** @override */
  componentDidMount() {
    document.getElementById("login_email")?.focus();
    if (this.props.settings.features.includes("passkeys")) this.#offerPasskeys();
  }

  /** @override */
  componentWillUnmount() {
    this.#offer.abort();
  }

  /** Passkeys appear in the field of the e-mail address. */
  async #offerPasskeys() {
    if (!(await offersPasskeys()) || this.#offer.signal.aborted) return;
    await this.#signInWithPasskey({ mediation: "conditional", signal: this.#offer.signal });
  }

  /** @param {Omit<CredentialRequestOptions, "publicKey">} [how] */
  async #signInWithPasskey(how) {
    const { api, enter, complain } = this.props;
    const begun = await api.post("passkeys/login-options");
    if (!begun.ok) return complain(begun.message);
    const response = await usePasskey(begun.data.options, how);
    // The user did not ask for a passkey in the field, or has chosen another way meanwhile.
    if (how?.signal?.aborted || (how && typeof response === "string")) return;
    if (typeof response === "string") return complain(response);
    const answer = await api.post("passkeys/login", { response });
    if (answer.ok) await enter(answer.data ?? {});
    else complain(answer.message);
  }

  #wayProps() {
    return { ...this.props, endOffer: () => this.#offer.abort() };
  }

  #phone() {
    return h(CodeWay, {
      ...this.#wayProps(),
      id: "phone",
      title: "With a one-time code",
      target: { name: "phone_number", label: "Phone number", input: inputs.phone },
      request: "request-otp",
      path: "verify-otp",
      code: { name: "otp", label: "Code from the text message", input: inputs.code },
    });
  }

  #mail() {
    return h(CodeWay, {
      ...this.#wayProps(),
      id: "mail",
      title: "With a code by e-mail",
      target: { name: "email", label: "E-mail address", input: inputs.email },
      request: "request-email-code",
      path: "verify-email-code",
      code: { name: "code", label: "Code from the mail", input: inputs.code },
    });
  }

  #passkey() {
    const act = () => {
      // The browser asks for one passkey at a time.
      this.#offer.abort();
      return this.#signInWithPasskey();
    };
    return section("passkey", "With a passkey", h(ActionButton, { text: "Sign in with a passkey", act }));
  }

  #providers() {
    const { settings, providers, ways, complain } = this.props;
    /** @type {typeof goTo} */
    const begin = async (provider, parameters) => {
      if (crypto.subtle) await goTo(provider, parameters);
      else complain("To sign in with a provider, open this page over https or at localhost.");
    };
    const offered = providers.filter(({ provider }) => ways === null || ways.providers.includes(provider));
    const list =
      providers.length === 0
        ? html`<p class="hint">No provider is declared. Add one to auth.social_providers in models/manifest.json.</p>`
        : providerList(offered, settings.beginnings, "Continue with", begin);
    return section("providers", "With an account of a provider", list);
  }

  /** @override */
  render() {
    const { settings, ways } = this.props;
    const { features, registration: isOpen } = settings;
    return html`
      ${(ways === null || ways.password) && h(PasswordWay, this.#wayProps())}
      ${features.includes("passkeys") && (ways === null || ways.passkeys > 0) && this.#passkey()}
      ${(ways === null || ways.phone) && this.#phone()}
      ${features.includes("emailCodes") && (ways === null || ways.email_code) && this.#mail()}
      ${(ways === null || ways.providers.length > 0) && this.#providers()}
      ${ways === null && isOpen && section("register", "Register", registration(this.props))}`;
  }
}
