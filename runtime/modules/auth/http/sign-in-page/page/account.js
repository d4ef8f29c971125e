// @ts-check
import { deleteButton } from "./account-actions.js";
import {
  emailSection,
  passkeysSection,
  passwordSection,
  phoneSection,
  providersSection,
  timeText,
} from "./credentials.js";
import { ActionButton, html, problemText, section } from "./form.js";
import { Component, h } from "./packages/preact.js";
import { profileSection } from "./profile.js";
import { SecondFactor } from "./second-factor.js";

/** @import { AccountProps } from "./account-actions.js" */

/** When a token expires. @param {string} token */
function expiry(token) {
  const [, claims = ""] = token.split(".");
  const { exp } = JSON.parse(atob(claims.replaceAll("-", "+").replaceAll("_", "/")));
  return `until ${new Date(exp * 1000).toLocaleString()}`;
}

/** What the service says of a refresh token whose session has ended. */
const ended = ["INVALID_TOKEN", "TOKEN_EXPIRED"];

/**
 * What a user who signed in can do with the account.
 *
 * @extends {Component<AccountProps & { signInAgain: () => void }>}
 */
export class Account extends Component {
  #facts() {
    const { api, shown, signInAgain } = this.props;
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
      <p class="hint">${recent}</p>
      ${h(ActionButton, { text: "Sign in again", act: async () => signInAgain() })}`;
  }

  async #renew() {
    const { api, leave, report } = this.props;
    const answer = await api.post("refresh-token", { refreshToken: api.tokens?.refreshToken });
    if (!answer.ok && answer.error !== null && ended.includes(answer.error))
      return leave({ problem: problemText(answer) });
    const { accessToken, refreshToken } = answer.ok ? answer.data : {};
    if (accessToken && refreshToken) api.tokens = { accessToken, refreshToken };
    await report(answer);
  }

  async #signOut() {
    const { api, leave, report } = this.props;
    const answer = await api.post("logout", { token: api.tokens?.refreshToken });
    // A session that has ended is not found.
    if (answer.ok || answer.error === "NOT_FOUND") leave({ done: "You are signed out." });
    else await report(answer);
  }

  #sessions() {
    const entries = this.props.shown.sessions.map(
      ({ id, current, last_used_at, signed_in_with, user_agent, address }) => html`
        <li key=${id}>
          <p>${user_agent ?? "unknown program"}${address && ` at ${address}`}${current && " (this session)"}</p>
          <p class="hint">${signed_in_with.join(", ")}; last used ${timeText(last_used_at)}</p>
          ${!current && deleteButton(this.props, "End this session", `sessions/${id}`)}
        </li>`,
    );
    const others = deleteButton(this.props, "End all other sessions", "sessions");
    return section("sessions", "Sessions", html`<ul>${entries}</ul>${others}`);
  }

  async #download() {
    const { api, report } = this.props;
    const answer = await api.get("export");
    if (!answer.ok) return report(answer);
    const file = new Blob([JSON.stringify(answer.data, null, 2)], { type: "application/json" });
    const href = URL.createObjectURL(file);
    Object.assign(document.createElement("a"), { href, download: "account.json" }).click();
    URL.revokeObjectURL(href);
  }

  async #deleteAccount() {
    const { api, leave, report } = this.props;
    if (!confirm("Delete this account and its data?")) return;
    const answer = await api.send("DELETE", "me");
    if (answer.ok) leave({ done: "The account is deleted." });
    else await report(answer);
  }

  /** @override */
  render() {
    const { props } = this;
    const has = (/** @type {string} */ feature) => props.settings.features.includes(feature);
    return html`
      <section id="account" aria-labelledby="who">
        ${this.#facts()}
        ${h(ActionButton, { text: "Renew the tokens", act: () => this.#renew() })}
        ${h(ActionButton, { text: "Sign out", act: () => this.#signOut() })}
        ${h(SecondFactor, props)}
        ${has("passkeys") && passkeysSection(props)}
        ${has("linking") && providersSection(props)}
        ${has("sessions") && this.#sessions()}
        ${has("password") && passwordSection(props)}
        ${has("email") && emailSection(props)}
        ${has("phone") && phoneSection(props)}
        ${has("profile") && profileSection(props)}
        ${has("export") && h(ActionButton, { text: "Download my data", act: () => this.#download() })}
        ${has("delete") && h(ActionButton, { text: "Delete the account", act: () => this.#deleteAccount() })}
      </section>`;
  }
}
