// @ts-check
import { html } from "./html.js";
import { Component, createRef, h } from "./packages/preact.js";

/** @import { Column, TableOptions, TableProps } from "./types.ts" */

/** Rows that are shown until the user asks for all. */
const fewRows = 15;

/**
 * A table of items, which keeps its rows from one refresh to the next. The first cell of a row holds the button that opens it.
 *
 * @template Item
 * @param {TableOptions<Item>} options
 */
export function table({ label, items, columns, keyOf, empty, sortedBy, open }) {
  /** @type {Map<string, number>} */
  const seen = new Map();
  // Items with the same key get numbers: elements need distinct keys.
  const keyed = (/** @type {string} */ key) => {
    const count = seen.get(key) ?? 0;
    seen.set(key, count + 1);
    return count === 0 ? key : `${key} #${count}`;
  };
  const rows = items.map((item) => ({
    key: keyed(keyOf(item)),
    cells: columns.map(({ text, order, tone }) => ({
      text: text(item),
      order: order?.(item) ?? "",
      tone: tone?.(item) ?? null,
    })),
    open: open === undefined ? null : () => open(item),
  }));
  const heads = columns.map(({ title, order, isFigure = false, isMinor = false }) => {
    const className = [isFigure ? "figure" : "", isMinor ? "minor" : ""].join(" ").trim();
    return { title, isSortable: order !== undefined, isFigure, className };
  });
  return h(Table, { label, heads, rows, empty, sortedBy: sortedBy ?? null });
}

/** @extends {Component<TableProps, { sorted: number, isDescending: boolean, showsAll: boolean, isCut: boolean }>} */
class Table extends Component {
  /** @type {{ current: HTMLElement | null }} */
  #scroll = createRef();
  #sizes = new ResizeObserver(() => this.#measure());

  /** @param {TableProps} props */
  constructor(props) {
    super(props);
    const sorted = props.heads.findIndex(({ title }) => title === props.sortedBy);
    this.state = { sorted, isDescending: true, showsAll: false, isCut: false };
  }

  /** @override */
  componentDidMount() {
    const scroll = this.#scroll.current;
    for (const watched of [scroll, scroll?.firstElementChild]) if (watched) this.#sizes.observe(watched);
  }

  /** @override */
  componentWillUnmount() {
    this.#sizes.disconnect();
  }

  #measure() {
    const scroll = this.#scroll.current;
    this.setState({ isCut: scroll !== null && scroll.scrollWidth > scroll.clientWidth });
  }

  /** Figures begin with the largest, texts with the first. @param {number} column */
  #sortBy(column) {
    const { sorted, isDescending } = this.state;
    const isFigure = this.props.heads[column]?.isFigure === true;
    this.setState({ sorted: column, isDescending: sorted === column ? !isDescending : isFigure });
  }

  #sortedRows() {
    const { sorted, isDescending } = this.state;
    if (sorted === -1) return this.props.rows;
    const sign = isDescending ? -1 : 1;
    return this.props.rows.toSorted(
      (one, other) => sign * compare(one.cells[sorted]?.order, other.cells[sorted]?.order),
    );
  }

  /** @override */
  render() {
    const { label, heads, rows, empty } = this.props;
    const { sorted, isDescending, showsAll, isCut } = this.state;
    const shown = showsAll ? this.#sortedRows() : this.#sortedRows().slice(0, fewRows);
    const toggle = () => this.setState({ showsAll: !showsAll });
    const direction = isDescending ? "descending" : "ascending";
    return html`
      <p class="hint" hidden=${!isCut}>Scroll sideways for more columns.</p>
      <div class="scroll" tabindex="0" role="region" aria-label=${label} ref=${this.#scroll}>
        <table>
          <caption class="unseen">${label}</caption>
          <thead>
            <tr>
              ${heads.map(
                ({ title, isSortable, className }, index) => html`
                  <th scope="col" class=${className} aria-sort=${index === sorted ? direction : null}>
                    ${isSortable ? html`<button type="button" class="sort" onClick=${() => this.#sortBy(index)}>${title}</button>` : title}
                  </th>`,
              )}
            </tr>
          </thead>
          <tbody>
            ${shown.map(
              ({ key, cells, open }) => html`
                <tr key=${key} class=${open === null ? null : "opens"} onClick=${open && (() => isSelecting() || open())}>
                  ${cells.map(
                    ({ text, tone }, index) => html`
                      <td class=${heads[index]?.className} data-tone=${tone}>
                        ${open !== null && index === 0 ? html`<button type="button" class="open">${text}</button>` : text}
                      </td>`,
                  )}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      <p class="empty" hidden=${rows.length > 0}>${empty}</p>
      <button type="button" class="more" hidden=${rows.length <= fewRows} aria-expanded=${showsAll} onClick=${toggle}>
        ${showsAll ? `Show the first ${fewRows}` : `Show all ${rows.length}`}
      </button>`;
  }
}

/** A user who selects a text to copy it does not want to open the row. */
const isSelecting = () => document.getSelection()?.type === "Range";

/**
 * @param {number | string | undefined} one
 * @param {number | string | undefined} other
 */
function compare(one = "", other = "") {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return String(one).localeCompare(String(other), "en");
}

/**
 * A column that can be sorted by its text.
 *
 * @template Item
 * @param {string} title
 * @param {(item: Item) => string} text
 * @returns {Column<Item>}
 */
export const textColumn = (title, text) => ({ title, text, order: text });

/**
 * A column that can be sorted by its figure.
 *
 * @template Item
 * @param {string} title
 * @param {(item: Item) => number} order
 * @param {(figure: number) => string} text
 * @param {Partial<Column<Item>>} more
 * @returns {Column<Item>}
 */
export const figureColumn = (title, order, text, more = {}) => ({
  title,
  text: (item) => text(order(item)),
  order,
  isFigure: true,
  ...more,
});
