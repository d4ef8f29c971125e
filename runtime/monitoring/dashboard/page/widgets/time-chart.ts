import { element, setAttribute, setText } from "../dom.ts";
import { nothing } from "../text/number-texts.ts";
import { bucketText } from "../text/time-texts.ts";
import { type ChartSeries, chartOptions, pointAt } from "./chart-options.ts";
import uPlot from "./uplot.js";

export interface TimeChartOptions {
  readonly title: string;
  readonly series: readonly ChartSeries[];
  readonly text: (value: number) => string;
  /** Of a value of the axis, which is round. Default `text`. */
  readonly roundText?: (value: number) => string;
  /** Stands there while nothing has happened. */
  readonly empty: string;
  /** Whether values are whole numbers. */
  readonly isCounted?: boolean;
  /** Whether the series are parts of a whole, and stand upon each other. */
  readonly isStacked?: boolean;
}

/** What happened in one bucket, a value for each series; null: nothing did. */
export interface Moment {
  /** ISO-8601. */
  readonly at: string;
  readonly values: readonly (number | null)[];
}

const height = 168;

/** A chart of what changes with time, which can be read by pointer and by keys. */
export class TimeChart {
  readonly #options: TimeChartOptions;
  readonly #plot: HTMLElement;
  readonly #empty: HTMLElement;
  readonly #when = element("span", { class: "when" });
  readonly #values: readonly HTMLElement[];
  #moments: readonly Moment[] = [];
  #bucketSeconds = 60;
  #chart: uPlot | null = null;

  constructor(host: HTMLElement, options: TimeChartOptions) {
    this.#options = options;
    this.#values = options.series.map(() => element("b"));
    this.#plot = element("div", {
      class: "plot",
      role: "slider",
      tabindex: "0",
      "aria-label": options.title,
    });
    this.#empty = element("p", { class: "empty" }, options.empty);
    const legend = options.series.map(({ label, color }, index) => this.#legendOf(label, color, index));
    const head = element("figcaption", {}, element("span", { class: "title" }, options.title), this.#when);
    const values = element("div", { class: "legend", "aria-hidden": "true" }, ...legend);
    host.append(element("figure", { class: "chart" }, head, values, this.#plot, this.#empty));
    this.#plot.addEventListener("keydown", (event) => this.#move(event));
    this.#plot.addEventListener("blur", () => pointAt(null));
    new ResizeObserver(() => this.#fit()).observe(this.#plot);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#chart?.redraw());
  }

  show(moments: readonly Moment[], bucketSeconds: number): void {
    this.#moments = moments;
    this.#bucketSeconds = bucketSeconds;
    this.#empty.hidden = moments.some(({ values }) => values.some((value) => (value ?? 0) > 0));
    const data = this.#dataOf(moments, bucketSeconds);
    if (this.#chart === null) this.#chart = this.#draw(data);
    else this.#chart.setData(data);
    setAttribute(this.#plot, "aria-valuemin", "0");
    setAttribute(this.#plot, "aria-valuemax", String(Math.max(0, moments.length - 1)));
    this.#tell();
  }

  #draw(data: uPlot.AlignedData): uPlot {
    const { series, text, roundText = text, isCounted = false } = this.#options;
    const width = Math.max(120, this.#plot.clientWidth);
    const look = chartOptions({
      series,
      text: roundText,
      isCounted,
      width,
      height,
      onCursor: () => this.#tell(),
    });
    return new uPlot(look, data, this.#plot);
  }

  /** A bucket stands at its middle. */
  #dataOf(moments: readonly Moment[], bucketSeconds: number): uPlot.AlignedData {
    const times = moments.map(({ at }) => Date.parse(at) / 1_000 + bucketSeconds / 2);
    const { series, isStacked = false } = this.#options;
    const lines = series.map((_, index) =>
      moments.map(({ values }) => (isStacked ? sumFrom(values, index) : (values[index] ?? null))),
    );
    return [times, ...lines];
  }

  #legendOf(label: string, color: string, index: number): HTMLElement {
    const swatch = element("i", { class: "swatch", "data-color": color.slice(2) });
    return element("span", {}, swatch, `${label} `, this.#values[index] ?? "");
  }

  /** The figures of the moment under the pointer, else of the last one. */
  #tell(): void {
    const pointed = this.#chart?.cursor.idx ?? null;
    const index = pointed ?? this.#moments.length - 1;
    const moment = this.#moments[index];
    const texts = this.#options.series.map((_, at) => {
      const value = moment?.values[at] ?? null;
      return value === null ? nothing : this.#options.text(value);
    });
    for (const [at, value] of this.#values.entries()) setText(value, texts[at] ?? nothing);
    const when = moment === undefined ? "" : bucketText(new Date(moment.at), this.#bucketSeconds);
    setText(this.#when, pointed === null ? "latest" : when);
    const said = this.#options.series.map(({ label }, at) => `${label} ${texts[at]}`).join(", ");
    setAttribute(this.#plot, "aria-valuenow", String(Math.max(0, index)));
    setAttribute(this.#plot, "aria-valuetext", `${when}: ${said}`);
  }

  #move(event: KeyboardEvent): void {
    const last = this.#moments.length - 1;
    const at = this.#chart?.cursor.idx ?? last;
    const to = new Map([
      ["ArrowRight", Math.min(last, at + 1)],
      ["ArrowLeft", Math.max(0, at - 1)],
      ["Home", 0],
      ["End", last],
    ]).get(event.key);
    const moment = to === undefined ? undefined : this.#chart?.data[0][to];
    if (moment === undefined) return;
    event.preventDefault();
    pointAt(moment);
  }

  #fit(): void {
    const width = this.#plot.clientWidth;
    if (this.#chart !== null && width > 0 && width !== this.#chart.width)
      this.#chart.setSize({ width, height });
  }
}

/** A part with all parts below it. */
function sumFrom(values: readonly (number | null)[], index: number): number {
  return values.slice(index).reduce<number>((sum, value) => sum + (value ?? 0), 0);
}
