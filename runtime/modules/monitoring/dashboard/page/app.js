// @ts-check
import { ApiClient } from "./api.js";
import { Board } from "./board.js";
import { html, messageOf } from "./html.js";
import { Component, createRef, h, render } from "./packages/preact.js";

/** Asks for the ingestion key, then shows the board. @extends {Component<object, { client: ApiClient | null, problem: string }>} */
class App extends Component {
  /** @override @type {{ client: ApiClient | null, problem: string }} */
  state = { client: null, problem: "" };
  /** @type {{ current: HTMLInputElement | null }} */
  #input = createRef();
  #isBusy = false;

  /** @override */
  componentDidMount() {
    this.#input.current?.focus();
  }

  /** @param {string} problem */
  #askAgain(problem) {
    this.setState({ client: null, problem }, () => this.#input.current?.focus());
  }

  /** Enter and the button both submit: one attempt at a time. @param {SubmitEvent} event */
  async #open(event) {
    event.preventDefault();
    const key = this.#input.current?.value.trim() ?? "";
    if (this.#isBusy) return;
    if (key === "") return this.#askAgain("Please enter the key.");
    if (/\s/.test(key)) return this.#askAgain("A key has no spaces in it.");
    this.#isBusy = true;
    this.setState({ problem: "" });
    try {
      const client = new ApiClient(key);
      await client.get("health", new AbortController().signal);
      this.setState({ client });
    } catch (error) {
      this.#askAgain(messageOf(error));
    } finally {
      this.#isBusy = false;
    }
  }

  /** @override */
  render() {
    const { client, problem } = this.state;
    if (client !== null)
      return h(Board, { client, onRefused: (/** @type {string} */ message) => this.#askAgain(message) });
    return html`
      <main class="entrance">
        <h1>Monitoring</h1>
        <p>Requests, AI runs and MCP calls of this service.</p>
        <form novalidate onSubmit=${(/** @type {SubmitEvent} */ event) => this.#open(event)}>
          <label for="key">Ingestion key</label>
          <input
            id="key"
            type="password"
            autocomplete="off"
            autocapitalize="none"
            spellcheck=${false}
            aria-describedby="key-hint key-problem"
            aria-invalid=${problem !== ""}
            ref=${this.#input}
          />
          <p id="key-hint" class="hint">
            The value of <code>SERVICE_MONITORING_INGESTION_KEY</code>. It stays in the memory of this tab.
          </p>
          <p id="key-problem" class="problem" role="alert">${problem}</p>
          <button type="submit" class="strong">Open</button>
        </form>
      </main>`;
  }
}

// A page from the browser's back-forward cache would show old figures.
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
const place = document.getElementById("page");
if (place !== null) render(h(App, {}), place);
