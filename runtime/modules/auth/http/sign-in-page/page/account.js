// @ts-check
import { ActionButton, Form, html, inputs, passwordField, problemText, section } from "./form.js";
import { Component, h } from "./packages/preact.js";
import { createPasskey } from "./passkeys.js";
import { backOf, providerList } from "./providers.js";
import { SecondFactor } from "./second-factor.js";

/** @import { Api } from "./api.js" */
/** @import { Field } from "./form.js" */
/** @import { Answer, ListedProvider, Settings, Shown } from "./sign-in-types.ts" */

/**
 * @typedef {object} AccountProps
 * @property {Api} api
 * @property {Settings} settings
 * @property {Shown} shown
 * @property {readonly ListedProvider[]} providers
 * @property {() => Promise<void>} reload
 * @property {() => void} leave forgets the session
 * @property {(message: string) => void} complain
 */

/** When a token expires. @param {string} token */
function expiry(token) {
  const [, claims = ""] = token.split(".");
  const { exp } = JSON.parse(atob(claims.replaceAll("-", "+").replaceAll("_", "/")));
  return `until ${new Date(exp * 1000).toLocaleString()}`;
}

/** @param {string | null} time */
const timeText = (time) => (time === null ? "never" : new Date(time).toLocaleString());

/** What a user who signed in can do with the account. @extends {Component<AccountProps>} */
export class Account extends Component {
  /** @override */
  componentDidMount() {
    document.getElementById("who")?.focus();
  }

  /** Reports an error, else shows the account again. @param {Answer<unknown>} answer */
  async #after(answer) {
    if (answer.ok) await this.props.reload();
    else this.props.complain(problemText(answer));
  }

  /** @param {string} text @param {"POST" | "DELETE"} method @param {string} path */
  #button(text, method, path) {
    const act = async () => this.#after(await this.props.api.send(method, path, {}));
    return h(ActionButton, { text, act });
  }

  /**
   * @param {string} id
   * @param {readonly Field[]} fields
   * @param {string} button
   * @param {"PATCH" | "POST"} method
   * @param {string} path
   */
  #form(id, fields, button, method, path) {
    return h(Form, {
      id,
      fields,
      button,
      send: async (values) => {
        const answer = await this.props.api.send(method, path, values);
        if (!answer.ok) return answer;
        await this.props.reload();
        return answer.message;
      },
    });
  }

  #facts() {
    const { api, shown } = this.props;
    const { user, recent_until } = shown.account;
    const { user_id, email, role, first_name, last_name, is_verified } = user;
    const facts = {
      "User id": String(user_id),
      "E-mail": email ?? "none",
      Name: [first_name, last_name].filter(Boolean).join(" ") || "none",
      Role: role,
      Verified: is_verified ? "yes" : "no",
      "Access token": expiry(api.tokens?.accessToken ?? ""),
      "Refresh token": expiry(api.tokens?.refreshToken ?? ""),
    };
    const recent =
      recent_until === null
        ? "To change how you sign in, sign in again: this session is not recent."
        : `You can change how you sign in until ${timeText(recent_until)}.`;
    return html`
      <h2 id="who" tabindex="-1">Signed in as ${email ?? `user ${user_id}`}</h2>
      <dl id="facts">${Object.entries(facts).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
      <p class="hint">${recent}</p>`;
  }

  async #renew() {
    const { api, complain, reload } = this.props;
    const answer = await api.post("refresh-token", { refreshToken: api.tokens?.refreshToken });
    if (!answer.ok) return complain(problemText(answer));
    const { accessToken, refreshToken } = answer.data;
    if (accessToken && refreshToken) api.tokens = { accessToken, refreshToken };
    await reload();
    document.getElementById("who")?.focus();
  }

  async #signOut() {
    const { api, complain, leave } = this.props;
    const answer = await api.post("logout", { token: api.tokens?.refreshToken });
    if (answer.ok) leave();
    else complain(problemText(answer));
  }

  #profile() {
    const { first_name, last_name } = this.props.shown.account.user;
    const fields = [
      { name: "first_name", label: "First name", input: { type: "text" }, value: first_name ?? "" },
      { name: "last_name", label: "Last name", input: { type: "text" }, value: last_name ?? "" },
    ];
    return section("profile", "Name", this.#form("profile", fields, "Change the name", "PATCH", "me"));
  }

  #email() {
    const waiting = this.props.shown.account.pending.email;
    const field = { name: "new_email", label: "New e-mail address", input: inputs.email };
    return section(
      "email",
      "E-mail",
      html`
        ${this.#form("email", [field], "Send a link to it", "POST", "change-email")}
        ${waiting && html`<p>The link to ${waiting.new_email} is not used yet.</p>${this.#button("Withdraw the change", "DELETE", "change-email")}`}`,
    );
  }

  #phone() {
    const { pending, user } = this.props.shown.account;
    const field = { name: "phone_number", label: "New phone number", input: inputs.phone };
    const code = { name: "code", label: "Code from the text message", input: inputs.code };
    return section(
      "phone",
      "Phone",
      html`
        <p>${user.phone_number ?? "This account has no phone number."}</p>
        ${this.#form("phone", [field], "Send a code to it", "POST", "change-phone")}
        ${pending.phone && this.#form("phone-code", [code], `Confirm ${pending.phone.phone_number}`, "POST", "change-phone/confirm")}
        ${user.phone_number !== null && this.#button("Remove the phone number", "DELETE", "phone")}`,
    );
  }

  #password() {
    const { sign_in, user } = this.props.shown.account;
    const both = [
      passwordField("new_password", "New password", "new-password"),
      passwordField("confirm_password", "Repeat the new password", "new-password"),
    ];
    if (!sign_in.password && user.email === null) return null;
    const current = passwordField("current_password", "Current password", "current-password");
    const content = sign_in.password
      ? html`${this.#form("password", [current, ...both], "Change the password", "POST", "change-password")}
          ${this.#button("Remove the password", "DELETE", "password")}`
      : this.#form("password", both, "Set a password", "POST", "set-password");
    return section("password", "Password", content);
  }

  #sessions() {
    const entries = this.props.shown.sessions.map(
      ({ id, current, last_used_at, signed_in_with, user_agent, address }) => html`
        <li key=${id}>
          <p>${user_agent ?? "unknown program"}${address && ` at ${address}`}${current && " (this session)"}</p>
          <p class="hint">${signed_in_with.join(", ")}; last used ${timeText(last_used_at)}</p>
          ${!current && this.#button("End this session", "DELETE", `sessions/${id}`)}
        </li>`,
    );
    const content = html`<ul>${entries}</ul>${this.#button("End all other sessions", "DELETE", "sessions")}`;
    return section("sessions", "Sessions", content);
  }

  async #addPasskey() {
    const { api, complain } = this.props;
    const begun = await api.post("passkeys/register-options");
    if (!begun.ok) return complain(problemText(begun));
    const response = await createPasskey(begun.data.options);
    if (typeof response === "string") return complain(response);
    await this.#after(await api.post("passkeys/register", { response }));
  }

  #passkeys() {
    const entries = this.props.shown.passkeys.map(
      ({ id, name, last_used_at }) => html`
        <li key=${id}>
          <p>${name}, last used ${timeText(last_used_at)}</p>
          ${this.#button("Delete this passkey", "DELETE", `passkeys/${id}`)}
        </li>`,
    );
    const add = h(ActionButton, { text: "Add a passkey", act: () => this.#addPasskey() });
    return section("passkeys", "Passkeys", html`<ul>${entries}</ul>${add}`);
  }

  /** @param {ListedProvider} provider @param {Readonly<Record<string, string>>} parameters */
  async #link(provider, parameters) {
    const body = { ...parameters, redirect_to: backOf(provider) };
    const answer = await this.props.api.post(`providers/${provider.provider}/link`, body);
    if (!answer.ok) return this.props.complain(problemText(answer));
    if (answer.data.authorization_url) location.assign(answer.data.authorization_url);
  }

  #providers() {
    const { providers, shown, settings } = this.props;
    const entries = shown.linked.map(
      ({ provider, title, email }) => html`
        <li key=${provider}>
          <p>${title}${email && `, ${email}`}</p>
          ${this.#button(`Unlink ${title}`, "DELETE", `providers/${provider}`)}
        </li>`,
    );
    const names = new Set(shown.linked.map(({ provider }) => provider));
    const others = providers.filter(({ provider }) => !names.has(provider));
    const list = providerList(others, settings.beginnings, "Link", (...how) => this.#link(...how));
    const content = html`<ul>${entries}</ul>${list}`;
    return section("linked", "Linked providers", content);
  }

  async #download() {
    const { api, complain } = this.props;
    const response = await api.fetch("GET", "export");
    if (!response.ok) return complain((await response.json()).message);
    const href = URL.createObjectURL(await response.blob());
    Object.assign(document.createElement("a"), { href, download: "account.json" }).click();
    URL.revokeObjectURL(href);
  }

  async #deleteAccount() {
    const { api, complain, leave } = this.props;
    if (!confirm("Delete this account and its data?")) return;
    const answer = await api.send("DELETE", "me");
    if (answer.ok) leave();
    else complain(problemText(answer));
  }

  /** @override */
  render() {
    const { settings, complain, api } = this.props;
    const has = (/** @type {string} */ feature) => settings.features.includes(feature);
    return html`
      <section id="account" aria-labelledby="who">
        ${this.#facts()}
        ${h(ActionButton, { text: "Renew the tokens", act: () => this.#renew() })}
        ${h(ActionButton, { text: "Sign out", act: () => this.#signOut() })}
        ${h(SecondFactor, { api, complain })}
        ${has("passkeys") && this.#passkeys()}
        ${has("linking") && this.#providers()}
        ${has("sessions") && this.#sessions()}
        ${has("password") && this.#password()}
        ${has("email") && this.#email()}
        ${has("phone") && this.#phone()}
        ${has("profile") && this.#profile()}
        ${has("export") && h(ActionButton, { text: "Download my data", act: () => this.#download() })}
        ${has("delete") && h(ActionButton, { text: "Delete the account", act: () => this.#deleteAccount() })}
      </section>`;
  }
}
