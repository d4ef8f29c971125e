import type { Histogram } from "../../../records/reads.ts";
import { element, setProperty, setText } from "../dom.ts";
import { compactText, percentText, roundDurationText } from "../text/number-texts.ts";
import { KeyedRows } from "../widgets/keyed-rows.ts";

/** Requests between two edges. */
interface Bin {
  readonly label: string;
  readonly count: number;
  /** Of all requests. */
  readonly share: number;
  /** Of the fullest. */
  readonly width: number;
}

/** How many requests took how long: a bar for each pair of edges. */
export class LatencyBars {
  readonly #rows: KeyedRows<Bin, HTMLElement>;
  readonly #empty = element("p", { class: "empty" }, "No requests in this window");

  constructor(host: HTMLElement) {
    const list = element("ol", { class: "bins" });
    host.append(list, this.#empty);
    this.#rows = new KeyedRows({ parent: list, keyOf: ({ label }) => label, make: newRow, update });
  }

  show(histogram: Histogram): void {
    this.#empty.hidden = histogram.total > 0;
    this.#rows.show(binsOf(histogram));
  }
}

function binsOf({ edges_ms: edges, counts, total }: Histogram): Bin[] {
  const most = Math.max(1, ...counts);
  return counts.map((count, index) => {
    const edge = edges[index];
    const label =
      edge === undefined ? `> ${roundDurationText(edges.at(-1) ?? 0)}` : `≤ ${roundDurationText(edge)}`;
    return { label, count, share: total === 0 ? 0 : count / total, width: count / most };
  });
}

function newRow(): HTMLElement {
  const track = element("span", { class: "track" }, element("span", { class: "bar" }));
  return element(
    "li",
    {},
    element("span"),
    track,
    element("span", { class: "count" }),
    element("span", { class: "share" }),
  );
}

function update(row: HTMLElement, { label, count, share, width }: Bin): void {
  const [name, track, counted, shared] = row.children;
  if (name !== undefined) setText(name, label);
  if (counted !== undefined) setText(counted, compactText(count));
  if (shared !== undefined) setText(shared, count === 0 ? "" : percentText(share));
  if (track?.firstElementChild instanceof HTMLElement)
    setProperty(track.firstElementChild, "--width", `${100 * width}%`);
}
