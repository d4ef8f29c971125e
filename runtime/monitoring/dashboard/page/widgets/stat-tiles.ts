import { element, setAttribute, setText } from "../dom.ts";
import type { Tone } from "./tone.ts";

/** A figure that stands large. */
export interface Tile {
  readonly title: string;
  readonly value: string;
  readonly tone?: Tone;
  /** What it is compared with, or made of. */
  readonly note?: string;
  readonly noteTone?: Tone;
}

interface Shown {
  readonly value: HTMLElement;
  readonly note: HTMLElement;
}

/** A row of large figures. Their titles stay what they are. */
export class StatTiles {
  readonly #list: HTMLElement;
  readonly #shown = new Map<string, Shown>();

  constructor(host: HTMLElement) {
    this.#list = element("dl", { class: "tiles" });
    host.append(this.#list);
  }

  show(tiles: readonly Tile[]): void {
    for (const { title, value, note = "", tone = "plain", noteTone = "plain" } of tiles) {
      const shown = this.#shown.get(title) ?? this.#add(title);
      setText(shown.value, value);
      setAttribute(shown.value, "data-tone", tone);
      setText(shown.note, note);
      setAttribute(shown.note, "data-tone", noteTone);
    }
  }

  #add(title: string): Shown {
    const shown = { value: element("dd", { class: "value" }), note: element("dd", { class: "note" }) };
    this.#list.append(element("div", { class: "tile" }, element("dt", {}, title), shown.value, shown.note));
    this.#shown.set(title, shown);
    return shown;
  }
}
