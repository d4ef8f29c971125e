// @ts-check
import { accountForm } from "./account-actions.js";
import { ActionButton, html, section } from "./form.js";
import { Component, h } from "./packages/preact.js";

/** @import { AccountProps } from "./account-actions.js" */
/** @import { Answers, FormValues } from "./sign-in-types.ts" */

const fields = [
  {
    name: "code",
    label: "Code from the app, or a backup code",
    input: { type: "text", autocomplete: "one-time-code", autocapitalize: "none" },
  },
];

/** Turns the second factor on or off. @extends {Component<AccountProps, { secret: Answers["setup-mfa"] | null }>} */
export class SecondFactor extends Component {
  /** @override @type {{ secret: Answers["setup-mfa"] | null }} */
  state = { secret: null };

  async #setUp() {
    const answer = await this.props.api.post("setup-mfa");
    if (!answer.ok) return this.props.report(answer);
    this.setState({ secret: answer.data }, () => document.getElementById("factor_code")?.focus());
  }

  /** @param {Answers["setup-mfa"]} secret */
  #activation({ provisioning_uri, backup_codes }) {
    const body = (/** @type {FormValues} */ { code }) => ({ code, action: "activate" });
    return html`
      <p>Enter this in an authenticator app, and keep the backup codes. Neither is shown again.</p>
      <p><code id="uri">${provisioning_uri}</code></p>
      <ul id="backup" aria-label="Backup codes">${backup_codes.map((code) => html`<li key=${code}>${code}</li>`)}</ul>
      ${accountForm(this.props, { id: "factor", fields, button: "Turn it on", path: "verify-mfa", body })}`;
  }

  #content() {
    if (this.props.shown.account.sign_in.mfa)
      return accountForm(this.props, { id: "factor", fields, button: "Turn it off", path: "disable-mfa" });
    return html`
      ${h(ActionButton, { text: "Set up a second factor", act: () => this.#setUp() })}
      ${this.state.secret && this.#activation(this.state.secret)}`;
  }

  /** @override */
  render() {
    return section("second-factor", "Second factor", this.#content());
  }
}
