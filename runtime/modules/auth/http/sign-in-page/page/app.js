// @ts-check
import { Account } from "./account.js";
import { Api } from "./api.js";
import { html, problemText } from "./form.js";
import { Component, h, render } from "./packages/preact.js";
import { takeCodeVerifier } from "./providers.js";
import { Ways } from "./ways.js";

/** @import { ListedProvider, Settings, Shown, TokensOfTab } from "./sign-in-types.ts" */

/** Removes what a provider's sign-in brought from the address bar. */
function takeParameters() {
  const address = new URL(location.href);
  const [token, error, linked] = ["token", "error", "linked"].map((name) => address.searchParams.get(name));
  for (const name of ["token", "error", "linked"]) address.searchParams.delete(name);
  if (address.href !== location.href) history.replaceState(null, "", address);
  return { token: token ?? null, error: error ?? null, linked: linked ?? null };
}

/** @extends {Component<{ settings: Settings }, { shown: Shown | null, providers: readonly ListedProvider[], problem: string }>} */
class App extends Component {
  #api = new Api();
  /** @override @type {{ shown: Shown | null, providers: readonly ListedProvider[], problem: string }} */
  state = { shown: null, providers: [], problem: "" };

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
    else if (linked !== null) this.#complain("The provider is linked. Sign in to see it.");
  }

  /** @param {string} problem */
  #complain(problem) {
    this.setState({ problem });
  }

  /** @param {Partial<TokensOfTab>} tokens */
  async #enter({ accessToken, refreshToken }) {
    if (!accessToken || !refreshToken)
      return this.#complain("Signed in, but the answer has no tokens: a hook of the app removed them.");
    this.#api.tokens = { accessToken, refreshToken };
    await this.#reload();
  }

  async #reload() {
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
    this.setState({ shown, problem: "" });
  }

  #leave() {
    this.#api.tokens = null;
    this.setState({ shown: null, problem: "" });
  }

  /** @override */
  render() {
    const { settings } = this.props;
    const { shown, providers, problem } = this.state;
    const common = {
      api: this.#api,
      settings,
      providers,
      complain: (/** @type {string} */ message) => this.#complain(message),
    };
    return html`
      <p id="problem" class="error" role="alert">${problem}</p>
      ${
        shown === null
          ? h(Ways, { ...common, enter: (tokens) => this.#enter(tokens) })
          : h(Account, { ...common, shown, reload: () => this.#reload(), leave: () => this.#leave() })
      }`;
  }
}

// Clears typed values if the browser restores the page from its back/forward cache.
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
const place = document.getElementById("page");
if (place !== null) render(h(App, { settings: JSON.parse(place.dataset["settings"] ?? "{}") }), place);
