import type { RouteFigures } from "../../../records/reads.ts";
import { countText, durationText, percentText } from "../text/number-texts.ts";
import { momentText } from "../text/time-texts.ts";
import { type Column, DataTable } from "../widgets/data-table.ts";
import { countTone } from "../widgets/tone.ts";

const share5xx = ({ errors_5xx, requests }: RouteFigures) => (requests === 0 ? 0 : errors_5xx / requests);
const share4xx = ({ errors_4xx, requests }: RouteFigures) => (requests === 0 ? 0 : errors_4xx / requests);

function duration(title: string, of: (route: RouteFigures) => number, isMinor = false): Column<RouteFigures> {
  return { title, text: (route) => durationText(of(route)), order: of, isFigure: true, isMinor };
}

const columns: readonly Column<RouteFigures>[] = [
  { title: "Method", text: ({ method }) => method, order: ({ method }) => method },
  { title: "Route", text: ({ route }) => route, order: ({ route }) => route },
  {
    title: "Requests",
    text: ({ requests }) => countText(requests),
    order: ({ requests }) => requests,
    isFigure: true,
  },
  {
    title: "4xx",
    text: (route) => percentText(share4xx(route)),
    order: share4xx,
    tone: (route) => (route.errors_4xx > 0 ? "plain" : "quiet"),
    isFigure: true,
  },
  {
    title: "5xx",
    text: (route) => percentText(share5xx(route)),
    order: share5xx,
    tone: (route) => countTone(share5xx(route)),
    isFigure: true,
  },
  duration("Average", ({ avg_ms }) => avg_ms, true),
  duration("Median", ({ p50_ms }) => p50_ms),
  duration("p95", ({ p95_ms }) => p95_ms),
  duration("p99", ({ p99_ms }) => p99_ms),
  duration("Slowest", ({ max_ms }) => max_ms, true),
  {
    title: "Last",
    text: ({ last_at }) => momentText(last_at, new Date()),
    order: ({ last_at }) => last_at,
    isFigure: true,
    isMinor: true,
  },
];

/** Requests by route; any column sorts. */
export function routesTable(host: HTMLElement): DataTable<RouteFigures> {
  return new DataTable(host, {
    label: "Routes",
    columns,
    keyOf: ({ method, route, model, operation }) => [method, route, model, operation].join(" "),
    empty: "No requests in this window",
    sortedBy: "Requests",
  });
}
