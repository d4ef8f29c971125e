// @ts-check
import { Account } from "./account.js";
import { Api } from "./api.js";
import { ActionButton, html, problemText } from "./form.js";
import { Component, h, render } from "./packages/preact.js";
import { takeCodeVerifier } from "./providers.js";
import { Ways } from "./ways.js";

/** @import { Answer, ListedProvider, Settings, Shown, TokensOfTab } from "./sign-in-types.ts" */

/**
 * @typedef {object} AppState
 * @property {Shown | null} shown
 * @property {boolean} signsInAgain whether the page shows the ways to sign in in place of the account
 * @property {readonly ListedProvider[]} providers
 * @property {string} problem
 * @property {string} done
 */

/** Removes what a provider's sign-in brought from the address bar. */
function takeParameters() {
  const address = new URL(location.href);
  const [token, error, linked] = ["token", "error", "linked"].map((name) => address.searchParams.get(name));
  for (const name of ["token", "error", "linked"]) address.searchParams.delete(name);
  if (address.href !== location.href) history.replaceState(null, "", address);
  return { token: token ?? null, error: error ?? null, linked: linked ?? null };
}

/** @extends {Component<{ settings: Settings }, AppState>} */
class App extends Component {
  #api = new Api();
  /** @override @type {AppState} */
  state = { shown: null, signsInAgain: false, providers: [], problem: "", done: "" };

  /** @override */
  componentDidMount() {
    this.#listProviders();
    this.#redeem(takeParameters(), takeCodeVerifier());
  }

  async #listProviders() {
    const answer = await this.#api.get("providers");
    if (answer.ok) this.setState({ providers: answer.data });
    else this.#complain(problemText(answer));
  }

  /** @param {ReturnType<typeof takeParameters>} brought @param {string | null} code_verifier */
  async #redeem({ token, error, linked }, code_verifier) {
    const { messages } = this.props.settings;
    if (token !== null && code_verifier === null)
      return this.#complain("This sign-in began in another tab. Start it again here.");
    if (token !== null) {
      const answer = await this.#api.post("verify-web-auth", { token, code_verifier });
      return answer.ok ? this.#enter(answer.data ?? {}) : this.#complain(problemText(answer));
    }
    // Anyone can write an address: it shows only known texts.
    const known = error !== null && Object.hasOwn(messages, error) ? messages[error] : undefined;
    if (error !== null)
      this.#complain(known ? problemText({ message: known, error }) : "The sign-in failed.");
    else if (linked !== null) this.#leave({ done: "The provider is linked. Sign in to see it." });
  }

  /** @param {string} problem */
  #complain(problem) {
    this.setState({ problem, done: "" }, () => document.getElementById("problem")?.focus());
  }

  /** Shows the outcome of a change, and the account as it is after it. @param {Answer<unknown>} answer */
  async #report(answer) {
    if (answer.ok) return this.#reload(answer.message);
    if (answer.error === "REAUTHENTICATION_REQUIRED") this.setState({ signsInAgain: true });
    this.#complain(problemText(answer));
  }

  /** @param {Partial<TokensOfTab>} tokens */
  async #enter({ accessToken, refreshToken }) {
    if (!accessToken || !refreshToken)
      return this.#complain("Signed in, but the answer has no tokens: a hook of the app removed them.");
    this.#api.tokens = { accessToken, refreshToken };
    const { shown } = this.state;
    if (shown === null) return this.#reload();
    // The new session replaces the one before.
    const before = shown.sessions.find(({ current }) => current);
    if (before !== undefined) await this.#api.send("DELETE", `sessions/${before.id}`);
    await this.#reload("You are signed in again. Now repeat the change.");
  }

  async #reload(done = "") {
    const { features } = this.props.settings;
    const api = this.#api;
    const account = await api.get("account");
    if (!account.ok) return this.#complain(problemText(account));
    const [sessions, passkeys, linked] = await Promise.all([
      features.includes("sessions") ? api.get("sessions") : null,
      features.includes("passkeys") ? api.get("passkeys") : null,
      features.includes("linking") ? api.get("providers/linked") : null,
    ]);
    const shown = {
      account: account.data,
      sessions: sessions?.ok ? sessions.data.sessions : [],
      passkeys: passkeys?.ok ? passkeys.data.passkeys : [],
      linked: linked?.ok ? linked.data.providers : [],
    };
    const focus = () => document.getElementById(done === "" ? "who" : "done")?.focus();
    this.setState({ shown, signsInAgain: false, problem: "", done }, focus);
  }

  /** @param {{ done?: string, problem?: string }} outcome */
  #leave({ done = "", problem = "" }) {
    this.#api.tokens = null;
    this.setState({ shown: null, signsInAgain: false, problem, done });
  }

  /** @override */
  render() {
    const { settings } = this.props;
    const { shown, signsInAgain, providers, problem, done } = this.state;
    const common = {
      api: this.#api,
      settings,
      providers,
      complain: (/** @type {string} */ text) => this.#complain(text),
    };
    const ways = h(Ways, {
      ...common,
      ways: shown?.account.sign_in ?? null,
      enter: (tokens) => this.#enter(tokens),
    });
    const back = async () => this.setState({ signsInAgain: false, problem: "" });
    return html`
      <p id="problem" class="error" role="alert" tabindex="-1">${problem}</p>
      <p id="done" class="done" role="status" tabindex="-1">${done}</p>
      ${shown === null && ways}
      ${shown && signsInAgain && html`${ways}${h(ActionButton, { text: "Back to the account", act: back })}`}
      ${
        shown &&
        !signsInAgain &&
        h(Account, {
          ...common,
          shown,
          // Made again with each change, so that no form keeps what was typed.
          key: shown,
          report: (answer) => this.#report(answer),
          leave: (outcome) => this.#leave(outcome),
          signInAgain: () => this.setState({ signsInAgain: true, problem: "", done: "" }),
        })
      }`;
  }
}

// Clears typed values if the browser restores the page from its back/forward cache.
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
const place = document.getElementById("page");
if (place !== null) render(h(App, { settings: JSON.parse(place.dataset["settings"] ?? "{}") }), place);
