// @ts-check
import { html } from "./html.js";
import { Component, createRef, h } from "./packages/preact.js";
import uPlot from "./packages/uplot.js";
import { bucketText, clockText, dayText, minuteText, nothing } from "./texts.js";

/** @import { ChartProps, Look, Series } from "./types.ts" */

/** @typedef {ChartProps["moments"][number]} Moment */

/**
 * A chart over time, which can be read by pointer and by keys.
 *
 * @template {object} Bucket
 * @param {Look} look
 * @param {{ readonly buckets: readonly (Bucket & { readonly at: string })[], readonly bucket_seconds: number }} answer
 * @param {(bucket: Bucket) => readonly (number | null)[]} valuesOf
 */
export function timeChart(look, { buckets, bucket_seconds: bucketSeconds }, valuesOf) {
  const moments = buckets.map((bucket) => ({ at: bucket.at, values: valuesOf(bucket) }));
  return h(TimeChart, { key: look.title, look, buckets, moments, bucketSeconds });
}

const height = 168;

/** All charts of the page share one pointer. */
const together = uPlot.sync("moment");

/** Points at a moment in all charts, in seconds since 1970; null: at none. @param {number | null} moment */
function pointAt(moment) {
  for (const chart of together.plots)
    chart.setCursor(
      moment === null ? { left: -10, top: -10 } : { left: chart.valToPos(moment, "x"), top: 0 },
    );
}

/** @extends {Component<ChartProps>} */
class TimeChart extends Component {
  /** @type {{ current: HTMLElement | null }} */
  #plot = createRef();
  /** @type {uPlot | null} */
  #chart = null;
  #sizes = new ResizeObserver(() => this.#fit());
  #end = new AbortController();

  /** @override */
  componentDidMount() {
    const plot = this.#plot.current;
    if (plot === null) return;
    const onCursor = () => this.forceUpdate();
    this.#chart = new uPlot(optionsOf(this.props.look, plot.clientWidth, onCursor), this.#data(), plot);
    this.#sizes.observe(plot);
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", () => this.#chart?.redraw(), { signal: this.#end.signal });
  }

  /** @override @param {ChartProps} previous */
  componentDidUpdate({ buckets }) {
    if (buckets !== this.props.buckets) this.#chart?.setData(this.#data());
  }

  /** @override */
  componentWillUnmount() {
    this.#end.abort();
    this.#sizes.disconnect();
    this.#chart?.destroy();
  }

  /** A bucket is drawn at its middle. @returns {uPlot.AlignedData} */
  #data() {
    const { moments, bucketSeconds, look } = this.props;
    const times = moments.map(({ at }) => Date.parse(at) / 1_000 + bucketSeconds / 2);
    const value = look.isStacked ? sumFrom : valueAt;
    return [times, ...look.series.map((_, index) => moments.map((moment) => value(moment, index)))];
  }

  #fit() {
    const width = this.#plot.current?.clientWidth ?? 0;
    if (width > 0 && width !== this.#chart?.width) this.#chart?.setSize({ width, height });
  }

  /** @param {KeyboardEvent} event */
  #move(event) {
    const last = this.props.moments.length - 1;
    const at = this.#chart?.cursor.idx ?? last;
    const targets = {
      ArrowRight: Math.min(last, at + 1),
      ArrowLeft: Math.max(0, at - 1),
      Home: 0,
      End: last,
    };
    const to = new Map(Object.entries(targets)).get(event.key);
    const moment = to === undefined ? undefined : this.#chart?.data[0][to];
    if (moment === undefined) return;
    event.preventDefault();
    pointAt(moment);
  }

  /** @override */
  render() {
    const { look, moments, bucketSeconds } = this.props;
    const pointed = this.#chart?.cursor.idx ?? null;
    const index = pointed ?? moments.length - 1;
    const moment = moments[index];
    const when = moment === undefined ? "" : bucketText(new Date(moment.at), bucketSeconds);
    const figures = look.series.map(({ label, color }, at) => {
      const value = moment?.values[at] ?? null;
      return { label, color, text: value === null ? nothing : look.text(value) };
    });
    const isEmpty = moments.every(({ values }) => values.every((value) => (value ?? 0) === 0));
    return html`
      <figure class="chart">
        <figcaption>
          <span class="title">${look.title}</span><span class="when">${pointed === null ? "latest" : when}</span>
        </figcaption>
        <div class="legend" aria-hidden="true">
          ${figures.map(
            ({ label, color, text }) =>
              html`<span><i class="swatch" style=${{ "--color": `var(${color})` }}></i> ${label} <b>${text}</b></span>`,
          )}
        </div>
        <div
          class="plot"
          role="slider"
          tabindex="0"
          aria-label=${look.title}
          aria-valuemin="0"
          aria-valuemax=${Math.max(0, moments.length - 1)}
          aria-valuenow=${Math.max(0, index)}
          aria-valuetext=${`${when}: ${figures.map(({ label, text }) => `${label} ${text}`).join(", ")}`}
          ref=${this.#plot}
          onKeyDown=${(/** @type {KeyboardEvent} */ event) => this.#move(event)}
          onBlur=${() => pointAt(null)}
        ></div>
        <p class="empty" hidden=${!isEmpty}>${look.empty}</p>
      </figure>`;
  }
}

/** @param {Moment} moment */
const valueAt = ({ values }, index = 0) => values[index] ?? null;

/** A part together with all parts below it. @param {Moment} moment */
const sumFrom = ({ values }, index = 0) =>
  values.slice(index).reduce((/** @type {number} */ sum, value) => sum + (value ?? 0), 0);

/**
 * Colours are read at each drawing: they change with the colour scheme of the system.
 *
 * @param {Look} look
 * @param {number} width
 * @param {() => void} onCursor the pointer, or a key, chose another moment
 * @returns {uPlot.Options}
 */
function optionsOf({ series, text, roundText = text, isCounted = false }, width, onCursor) {
  return {
    width: Math.max(120, width),
    height,
    padding: [8, 20, 0, 0],
    legend: { show: false },
    cursor: { sync: { key: together.key }, drag: { x: false, y: false }, y: false, points: { size: 6 } },
    scales: {
      x: { time: true, range: withHalfBuckets },
      y: { range: (_, __, max) => [0, max > 0 ? max * 1.1 : 1] },
    },
    axes: [
      {
        ...axis,
        space: 64,
        size: 22,
        gap: 6,
        values: (_, splits, __, ___, step) => splits.map(timeTextOf(step)),
      },
      {
        ...axis,
        space: 28,
        size: 52,
        incrs: steps.filter((step) => step >= 1 || !isCounted),
        values: (_, splits) => splits.map(roundText),
      },
    ],
    series: [{}, ...series.map(seriesOf)],
    hooks: { setCursor: [onCursor] },
  };
}

/** Steps of an axis: 1, 2 and 5 times a power of ten, from a hundred-thousandth to a billion. */
const steps = Array.from({ length: 15 }, (_, power) =>
  [1, 2, 5].map((step) => step * 10 ** (power - 5)),
).flat();

/** @type {uPlot.Axis} */
const axis = {
  font: "11px system-ui, sans-serif",
  stroke: () => colorOf("--soft"),
  grid: { stroke: () => colorOf("--line"), width: 1 },
  ticks: { show: false },
  gap: 4,
};

/** Widens the range, so that the first and the last bucket are seen whole. @type {uPlot.Range.Function} */
const withHalfBuckets = ({ data }, min, max) => {
  const [first = 0, second = first] = data[0];
  const half = (second - first) / 2;
  return [min - half, max + half];
};

/** @param {Series} series @returns {uPlot.Series} */
function seriesOf({ label, color, form }) {
  const stroke = () => colorOf(color);
  const paths = uPlot.paths.bars?.({ size: [0.8, 24] });
  if (form === "bars")
    return { label, fill: stroke, width: 0, points: { show: false }, ...(paths && { paths }) };
  const points = { size: 4, width: 0, fill: stroke, show: false, filter: lonelyPoints };
  const line = { label, stroke, width: 1.5, spanGaps: false, points };
  return form === "area" ? { ...line, fill: () => colorOf(`${color}-fill`) } : line;
}

/**
 * A value between two gaps has no line: it is drawn as a point.
 *
 * @param {uPlot} chart
 * @param {number} series
 */
function lonelyPoints({ data }, series) {
  const values = [...(data[series] ?? [])];
  const isGap = (/** @type {number} */ index) => (values[index] ?? null) === null;
  const lonely = [...values.keys()].filter((index) => !isGap(index) && isGap(index - 1) && isGap(index + 1));
  return lonely.length === 0 ? null : lonely;
}

/** As exact as the steps of the axis. @param {number} step */
function timeTextOf(step) {
  const text = step >= 86_400 ? dayText : step >= 60 ? minuteText : clockText;
  return (/** @type {number} */ seconds) => text(new Date(seconds * 1_000));
}

/** A canvas does not know `light-dark(…)`. @param {string} property */
function colorOf(property) {
  const value = getComputedStyle(document.documentElement).getPropertyValue(property);
  const [light = "", dark = light] = value.match(/#\w+/g) ?? [];
  return matchMedia("(prefers-color-scheme: dark)").matches ? dark : light;
}
