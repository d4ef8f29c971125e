import { element, setAttribute, setText } from "../dom.ts";
import { KeyedRows } from "./keyed-rows.ts";
import type { Tone } from "./tone.ts";

/** A column of a table. */
export interface Column<Item> {
  readonly title: string;
  readonly text: (item: Item) => string;
  /** What rows can be sorted by; without it nobody can. */
  readonly order?: (item: Item) => number | string;
  /** Set to the right, where figures are compared. */
  readonly isFigure?: boolean;
  readonly tone?: (item: Item) => Tone;
  /** Left out where the window is narrow. */
  readonly isMinor?: boolean;
}

export interface DataTableOptions<Item> {
  /** What the table is, for who does not see it. */
  readonly label: string;
  readonly columns: readonly Column<Item>[];
  readonly keyOf: (item: Item) => string;
  /** Stands there when there is no row. */
  readonly empty: string;
  /** The column by which rows are sorted at first. Default: they stay in their order. */
  readonly sortedBy?: string;
  /** Opens a row, by click or key; the first column holds the button. */
  readonly open?: (item: Item) => void;
}

/** Rows that are shown before somebody asks for all: a refresh costs the same, however much there is. */
const fewRows = 15;

/** A table that keeps its rows from one refresh to the next. */
export class DataTable<Item> {
  readonly #options: DataTableOptions<Item>;
  readonly #rows: KeyedRows<Item, HTMLTableRowElement>;
  readonly #headers: readonly HTMLTableCellElement[];
  readonly #empty: HTMLElement;
  readonly #more = element("button", { type: "button", class: "more", hidden: "" });
  readonly #itemOf = new WeakMap<HTMLTableRowElement, Item>();
  #items: readonly Item[] = [];
  #sorted: Column<Item> | null;
  #isDescending = true;
  #showsAll = false;

  constructor(host: HTMLElement, options: DataTableOptions<Item>) {
    this.#options = options;
    const { columns, keyOf, label, empty, sortedBy } = options;
    this.#sorted = columns.find(({ title }) => title === sortedBy) ?? null;
    this.#headers = columns.map((column) => this.#headerOf(column));
    const body = element("tbody");
    this.#rows = new KeyedRows({
      parent: body,
      keyOf,
      make: () => this.#newRow(),
      update: (row, item) => this.#update(row, item),
    });
    this.#empty = element("p", { class: "empty" }, empty);
    const head = element("thead", {}, element("tr", {}, ...this.#headers));
    const table = element("table", {}, element("caption", { class: "unseen" }, label), head, body);
    const scroll = element(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": label },
      table,
    );
    this.#more.addEventListener("click", () => this.#toggleAll());
    const hint = element("p", { class: "hint", hidden: "" }, "Scroll sideways for more columns.");
    const isCut = () => scroll.scrollWidth > scroll.clientWidth;
    const sizes = new ResizeObserver(() => {
      hint.hidden = !isCut();
    });
    sizes.observe(scroll);
    sizes.observe(table);
    host.append(hint, scroll, this.#empty, this.#more);
  }

  show(items: readonly Item[]): void {
    this.#items = items;
    this.#render();
  }

  #render(): void {
    const sorted = this.#inOrder();
    this.#rows.show(this.#showsAll ? sorted : sorted.slice(0, fewRows));
    this.#empty.hidden = sorted.length > 0;
    this.#more.hidden = sorted.length <= fewRows;
    setText(this.#more, this.#showsAll ? `Show the first ${fewRows}` : `Show all ${sorted.length}`);
    setAttribute(this.#more, "aria-expanded", String(this.#showsAll));
    for (const [index, header] of this.#headers.entries()) {
      const isSorted = this.#options.columns[index] === this.#sorted;
      setAttribute(header, "aria-sort", isSorted ? (this.#isDescending ? "descending" : "ascending") : null);
    }
  }

  #inOrder(): readonly Item[] {
    const order = this.#sorted?.order;
    if (order === undefined) return this.#items;
    const sign = this.#isDescending ? -1 : 1;
    return this.#items.toSorted((one, other) => sign * compared(order(one), order(other)));
  }

  #toggleAll(): void {
    this.#showsAll = !this.#showsAll;
    this.#render();
  }

  /** Figures begin with the largest, texts with the first. */
  #sortBy(column: Column<Item>): void {
    this.#isDescending = this.#sorted === column ? !this.#isDescending : column.isFigure === true;
    this.#sorted = column;
    this.#render();
  }

  #headerOf(column: Column<Item>): HTMLTableCellElement {
    const header = element("th", { scope: "col", class: classOf(column) });
    if (column.order === undefined) {
      header.append(column.title);
      return header;
    }
    const button = element("button", { type: "button", class: "sort" }, column.title);
    button.addEventListener("click", () => this.#sortBy(column));
    header.append(button);
    return header;
  }

  #newRow(): HTMLTableRowElement {
    const { columns, open } = this.#options;
    const cells = columns.map((column) => element("td", { class: classOf(column) }));
    const row = element("tr", {}, ...cells);
    if (open === undefined) return row;
    row.classList.add("opens");
    cells[0]?.append(element("button", { type: "button", class: "open" }));
    row.addEventListener("click", () => {
      const item = this.#itemOf.get(row);
      // Who marks a text in order to copy it opens nothing.
      if (item !== undefined && document.getSelection()?.type !== "Range") open(item);
    });
    return row;
  }

  #update(row: HTMLTableRowElement, item: Item): void {
    this.#itemOf.set(row, item);
    for (const [index, { text, tone }] of this.#options.columns.entries()) {
      const cell = row.cells[index];
      if (cell === undefined) continue;
      setText(cell.firstElementChild ?? cell, text(item));
      if (tone !== undefined) setAttribute(cell, "data-tone", tone(item));
    }
  }
}

function classOf({ isFigure = false, isMinor = false }: Pick<Column<never>, "isFigure" | "isMinor">): string {
  return [isFigure ? "figure" : "", isMinor ? "minor" : ""].join(" ").trim();
}

function compared(one: number | string, other: number | string): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return String(one).localeCompare(String(other), "en");
}
