import { clockText, dayText, minuteText } from "../text/time-texts.ts";
import uPlot from "./uplot.js";

/** A line, or bars, of a chart. */
export interface ChartSeries {
  readonly label: string;
  /** The custom property of its colour. */
  readonly color: `--${string}`;
  readonly form: "area" | "line" | "bars";
}

/** How a chart is drawn. */
export interface ChartLook {
  readonly series: readonly ChartSeries[];
  /** The text of a value of the axis. */
  readonly text: (value: number) => string;
  /** Whether values are whole numbers. */
  readonly isCounted: boolean;
  readonly width: number;
  readonly height: number;
  /** The pointer, or a key, has gone to another moment. */
  readonly onCursor: () => void;
}

const font = "11px system-ui, sans-serif";
const day = 86_400;

/** Charts of one page have one pointer. */
const together = uPlot.sync("moment");

/** Points at a moment in all charts, as the mouse does; at nothing where it is null. In seconds since 1970. */
export function pointAt(moment: number | null): void {
  for (const chart of together.plots) {
    const left = moment === null ? -10 : chart.valToPos(moment, "x");
    chart.setCursor({ left, top: moment === null ? -10 : 0 });
  }
}

/** Options of uPlot. Colours are looked up at each drawing: they change with the scheme of the system. */
export function chartOptions({ series, text, isCounted, width, height, onCursor }: ChartLook): uPlot.Options {
  return {
    width,
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
        ...axisLook,
        space: 64,
        size: 22,
        gap: 6,
        values: (_, splits, __, ___, step) => splits.map(timeTextOf(step)),
      },
      {
        ...axisLook,
        space: 28,
        size: 52,
        incrs: steps.filter((step) => step >= 1 || !isCounted),
        values: (_, splits) => splits.map(text),
      },
    ],
    series: [{}, ...series.map(seriesLook)],
    hooks: { setCursor: [onCursor] },
  };
}

/** What values may be apart on an axis: 1, 2 and 5, a hundred-thousandth and a billion times. */
const steps = Array.from({ length: 15 }, (_, power) =>
  [1, 2, 5].map((step) => step * 10 ** (power - 5)),
).flat();

/** A bucket stands at its middle: the first and the last are seen whole. */
function withHalfBuckets({ data }: uPlot, min: number, max: number): uPlot.Range.MinMax {
  const [first = 0, second = first] = data[0];
  const half = (second - first) / 2;
  return [min - half, max + half];
}

const axisLook: uPlot.Axis = {
  font,
  stroke: () => colorOf("--soft"),
  grid: { stroke: () => colorOf("--line"), width: 1 },
  ticks: { show: false },
  gap: 4,
};

function seriesLook({ label, color, form }: ChartSeries): uPlot.Series {
  const stroke = () => colorOf(color);
  if (form === "bars") {
    const paths = uPlot.paths.bars?.({ size: [0.8, 24] });
    return {
      label,
      fill: stroke,
      width: 0,
      points: { show: false },
      ...(paths === undefined ? {} : { paths }),
    };
  }
  const points = { size: 4, width: 0, fill: stroke, show: false, filter: lonelyPoints };
  const line: uPlot.Series = { label, stroke, width: 1.5, spanGaps: false, points };
  return form === "area" ? { ...line, fill: () => colorOf(`${color}-fill`) } : line;
}

/** A value between two gaps has no line, and would not be seen at all: of those the points are drawn. */
function lonelyPoints({ data }: uPlot, series: number): number[] | null {
  const values = data[series] ?? [];
  const isThere = (index: number) => (values[index] ?? null) !== null;
  const lonely = Array.from(values.keys()).filter(
    (index) => isThere(index) && !isThere(index - 1) && !isThere(index + 1),
  );
  return lonely.length === 0 ? null : lonely;
}

/** The text of a moment, as exact as the steps of the axis are. */
function timeTextOf(step: number): (seconds: number) => string {
  const text = step >= day ? dayText : step >= 60 ? minuteText : clockText;
  return (seconds) => text(new Date(seconds * 1_000));
}

function colorOf(property: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(property).trim();
}
