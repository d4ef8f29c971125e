import { byId, place, setText } from "./dom.ts";
import { ApiClient } from "./live/api-client.ts";

/** Asks for the ingestion key until there is one that opens the service. */
export class KeyForm {
  readonly #part = place("entrance");
  readonly #input = byId("key", HTMLInputElement);
  readonly #problem = place("key-problem");
  readonly #onOpen: (client: ApiClient) => void;
  #isBusy = false;

  constructor(onOpen: (client: ApiClient) => void) {
    this.#onOpen = onOpen;
    byId("key-form", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#try();
    });
  }

  /** Asks again, and says why. */
  show(problem = ""): void {
    this.#part.hidden = false;
    setText(this.#problem, problem);
    this.#input.setAttribute("aria-invalid", String(problem !== ""));
    this.#input.focus();
  }

  /** Enter sends the form as well as the button does: one attempt at a time. */
  async #try(): Promise<void> {
    const key = this.#input.value.trim();
    if (this.#isBusy) return;
    if (key === "") return this.show("Please enter the key.");
    if (/\s/.test(key)) return this.show("A key has no spaces in it.");
    this.#isBusy = true;
    setText(this.#problem, "");
    try {
      const client = new ApiClient(key);
      await client.get("health", {}, new AbortController().signal);
      this.#input.value = "";
      this.#part.hidden = true;
      this.#onOpen(client);
    } catch (error) {
      this.show(error instanceof Error ? error.message : String(error));
    } finally {
      this.#isBusy = false;
    }
  }
}
