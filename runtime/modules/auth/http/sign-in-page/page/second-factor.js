// @ts-check
import { ActionButton, Form, html, problemText, section } from "./form.js";
import { Component, h } from "./packages/preact.js";

/** @import { Api } from "./api.js" */
/** @import { Answers } from "./sign-in-types.ts" */

/**
 * Turns the second factor on and off.
 *
 * @extends {Component<{ api: Api, complain: (message: string) => void }, { secret: Answers["setup-mfa"] | null }>}
 */
export class SecondFactor extends Component {
  /** @override @type {{ secret: Answers["setup-mfa"] | null }} */
  state = { secret: null };

  async #setUp() {
    const answer = await this.props.api.post("setup-mfa");
    if (!answer.ok) return this.props.complain(problemText(answer));
    this.setState({ secret: answer.data }, () => document.getElementById("factor_code")?.focus());
  }

  /** @override */
  render() {
    const { api } = this.props;
    const { secret } = this.state;
    const form = h(Form, {
      id: "factor",
      fields: [
        {
          name: "code",
          label: "Code from the app, or a backup code",
          input: { type: "text", autocomplete: "one-time-code", autocapitalize: "none" },
        },
      ],
      button: "Turn it on",
      send: async ({ code }, more) => {
        const answer = await ("off" in more
          ? api.post("disable-mfa", { code })
          : api.post("verify-mfa", { code, action: "activate" }));
        return answer.ok ? answer.message : answer;
      },
      more: (send) => h(ActionButton, { text: "Turn it off", act: () => send({ off: true }) }),
    });
    return section(
      "second-factor",
      "Second factor",
      html`
        ${h(ActionButton, { text: "Set up a second factor", act: () => this.#setUp() })}
        ${
          secret &&
          html`
            <p>Enter this in an authenticator app, and keep the backup codes. Neither is shown again.</p>
            <p><code id="uri">${secret.provisioning_uri}</code></p>
            <ul id="backup" aria-label="Backup codes">
              ${secret.backup_codes.map((code) => html`<li key=${code}>${code}</li>`)}
            </ul>`
        }
        ${form}`,
    );
  }
}
