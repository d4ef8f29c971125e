/** How items become elements. */
export interface KeyedRowsOptions<Item, Row extends HTMLElement> {
  readonly parent: HTMLElement;
  /** What an item is known by from one list to the next. */
  readonly keyOf: (item: Item) => string;
  readonly make: () => Row;
  readonly update: (row: Row, item: Item) => void;
}

/**
 * A list of elements that follows a list of items. An item that is still there keeps its element, and with it the focus, a selection
 * and the pointer over it; elements are moved only where the order has changed.
 */
export class KeyedRows<Item, Row extends HTMLElement> {
  readonly #options: KeyedRowsOptions<Item, Row>;
  #rows = new Map<string, Row>();

  constructor(options: KeyedRowsOptions<Item, Row>) {
    this.#options = options;
  }

  show(items: readonly Item[]): void {
    const { parent, make, update } = this.#options;
    const focused = document.activeElement;
    const former = this.#rows;
    const keyed = this.#keyed(items);
    for (const [key, row] of former) if (!keyed.has(key)) row.remove();
    this.#rows = new Map();
    let next = parent.firstElementChild;
    for (const [key, item] of keyed) {
      const row = former.get(key) ?? make();
      update(row, item);
      this.#rows.set(key, row);
      if (row === next) next = next.nextElementSibling;
      else parent.insertBefore(row, next);
    }
    // Who is moved loses the focus.
    if (focused instanceof HTMLElement && focused !== document.activeElement && parent.contains(focused))
      focused.focus({ preventScroll: true });
  }

  /** Of items that are known by the same, each has a key of its own. */
  #keyed(items: readonly Item[]): Map<string, Item> {
    const keyed = new Map<string, Item>();
    for (const item of items) {
      const key = this.#options.keyOf(item);
      let free = key;
      for (let again = 1; keyed.has(free); again++) free = `${key} #${again}`;
      keyed.set(free, item);
    }
    return keyed;
  }
}
