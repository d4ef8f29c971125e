import { byId, setAttribute } from "../dom.ts";

/** Tabs by the pattern of ARIA: arrows go from one to the next, and what is chosen is shown at once. */
export class Tabs<Name extends string> {
  readonly #names: readonly [Name, ...Name[]];
  readonly #onChosen: (name: Name) => void;
  #chosen: Name;

  /** Elements `tab-<name>` and `view-<name>` are on the page. */
  constructor(names: readonly [Name, ...Name[]], onChosen: (name: Name) => void) {
    this.#names = names;
    this.#onChosen = onChosen;
    this.#chosen = names[0];
    for (const name of names) {
      const tab = tabOf(name);
      tab.addEventListener("click", () => this.#choose(name));
      tab.addEventListener("keydown", (event) => this.#move(event));
    }
    this.#show();
  }

  get chosen(): Name {
    return this.#chosen;
  }

  /** Chooses the tab of a name, or the first one, and tells nobody. */
  show(wanted: string | null): void {
    this.#chosen = this.#names.find((name) => name === wanted) ?? this.#names[0];
    this.#show();
  }

  #choose(name: Name): void {
    if (name === this.#chosen) return;
    this.#chosen = name;
    this.#show();
    this.#onChosen(name);
  }

  #move(event: KeyboardEvent): void {
    const last = this.#names.length - 1;
    const at = this.#names.indexOf(this.#chosen);
    const to = new Map([
      ["ArrowRight", at === last ? 0 : at + 1],
      ["ArrowLeft", at === 0 ? last : at - 1],
      ["Home", 0],
      ["End", last],
    ]).get(event.key);
    const name = to === undefined ? undefined : this.#names[to];
    if (name === undefined) return;
    event.preventDefault();
    this.#choose(name);
    tabOf(name).focus();
  }

  #show(): void {
    for (const name of this.#names) {
      const isChosen = name === this.#chosen;
      setAttribute(tabOf(name), "aria-selected", String(isChosen));
      setAttribute(tabOf(name), "tabindex", isChosen ? "0" : "-1");
      byId(`view-${name}`, HTMLElement).hidden = !isChosen;
    }
  }
}

function tabOf(name: string): HTMLButtonElement {
  return byId(`tab-${name}`, HTMLButtonElement);
}
