import { byId, element, setText } from "../dom.ts";

/** What a drawer shows of one thing. Rejects where it cannot be had, with a message for people. */
export type DrawerContent = (signal: AbortSignal) => Promise<readonly HTMLElement[]>;

/** A panel over the page, with the details of one thing. A `<dialog>`: it keeps the focus, and gives it back where it was. */
export class Drawer {
  readonly #dialog = byId("drawer", HTMLDialogElement);
  readonly #title = byId("drawer-title", HTMLElement);
  readonly #body = byId("drawer-body", HTMLElement);
  #reading = new AbortController();

  constructor(onClosed: () => void) {
    byId("drawer-close", HTMLButtonElement).addEventListener("click", () => this.close());
    this.#dialog.addEventListener("close", () => {
      this.#empty();
      onClosed();
    });
    // A click beside it: the dialog itself is hit by its own backdrop alone.
    this.#dialog.addEventListener("click", ({ target }) => {
      if (target === this.#dialog) this.close();
    });
  }

  async open(title: string, content: DrawerContent): Promise<void> {
    this.#reading.abort();
    const reading = new AbortController();
    this.#reading = reading;
    setText(this.#title, title);
    this.#body.replaceChildren(element("p", { class: "empty" }, "Reading …"));
    if (!this.#dialog.open) this.#dialog.showModal();
    const children = await contentOrMessage(content, reading.signal);
    if (!reading.signal.aborted) this.#body.replaceChildren(...children);
  }

  close(): void {
    this.#dialog.close();
  }

  #empty(): void {
    this.#reading.abort();
    this.#body.replaceChildren();
  }
}

async function contentOrMessage(
  content: DrawerContent,
  signal: AbortSignal,
): Promise<readonly HTMLElement[]> {
  try {
    return await content(signal);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [element("p", { class: "problem", role: "alert" }, message)];
  }
}
