// @ts-check
import { bucketsOf, requestStatuses, windowOf } from "./address.js";
import { timeChart } from "./chart.js";
import { empty, failureTone, filterList, html, panel, statusTone, tile } from "./html.js";
import { figureColumn, table, textColumn } from "./table.js";
import {
  compactText,
  countText,
  durationText,
  momentText,
  nothing,
  percentText,
  pointsText,
  rateText,
  roundDurationText,
  signed,
} from "./texts.js";

/** @import { Histogram, RecentRequest, RouteFigures, Summary } from "../../records/reads.ts" */
/** @import { Column, Look, Reading, TimeSpan, Tone, ViewTools } from "./types.ts" */

/** The endpoint's maximum. The filter by route selects from these requests. */
const mostRecent = 200;

/** Figures of requests: how many, how fast, which failed. @param {Reading} reading */
export async function readRequests(reading) {
  const { client, signal, span, filters } = reading;
  const recent = { status: filters.requests, limit: filters.route === "" ? "" : mostRecent };
  const isWanted = (/** @type {{ route: string }} */ { route }) => route.includes(filters.route);
  const [summary, timeseries, histogram, { routes }, { requests }] = await Promise.all([
    client.get("summary", signal, windowOf(reading)),
    client.get("requests/timeseries", signal, bucketsOf(reading)),
    client.get("requests/latency-histogram", signal, windowOf(reading)),
    client.get("requests", signal, windowOf(reading)),
    client.get("requests/recent", signal, recent),
  ]);
  return {
    summary,
    span,
    timeseries,
    histogram,
    routes: routes.filter(isWanted),
    requests: requests.filter(isWanted),
  };
}

const none = "No requests in this window";

/** @type {Look} */
const rateLook = {
  title: "Requests per second",
  series: [{ label: "all", color: "--blue", form: "area" }],
  text: rateText,
  empty: none,
};

/** @type {Look} */
const errorsLook = {
  title: "Errors",
  series: [
    { label: "4xx", color: "--amber", form: "bars" },
    { label: "5xx", color: "--red", form: "bars" },
  ],
  text: compactText,
  empty: "No errors in this window",
  isCounted: true,
  isStacked: true,
};

/** @type {Look} */
const latencyLook = {
  title: "Latency",
  series: [
    { label: "p95", color: "--violet", form: "line" },
    { label: "average", color: "--teal", form: "line" },
  ],
  text: durationText,
  roundText: roundDurationText,
  empty: none,
};

const share4xx = (/** @type {RouteFigures} */ { errors_4xx: errors, requests }) =>
  errors / Math.max(1, requests);
const share5xx = (/** @type {RouteFigures} */ { errors_5xx: errors, requests }) =>
  errors / Math.max(1, requests);

/** @type {readonly Column<RouteFigures>[]} */
const routeColumns = [
  textColumn("Method", ({ method }) => method),
  textColumn("Route", ({ route }) => route),
  figureColumn("Requests", ({ requests }) => requests, countText),
  figureColumn("4xx", share4xx, percentText, { tone: (route) => (route.errors_4xx > 0 ? "plain" : "quiet") }),
  figureColumn("5xx", share5xx, percentText, { tone: (route) => failureTone(route.errors_5xx, "quiet") }),
  figureColumn("Average", ({ avg_ms }) => avg_ms, durationText, { isMinor: true }),
  figureColumn("Median", ({ p50_ms }) => p50_ms, durationText),
  figureColumn("p95", ({ p95_ms }) => p95_ms, durationText),
  figureColumn("p99", ({ p99_ms }) => p99_ms, durationText),
  figureColumn("Slowest", ({ max_ms }) => max_ms, durationText, { isMinor: true }),
  {
    title: "Last",
    text: ({ last_at }) => momentText(last_at),
    order: ({ last_at }) => last_at,
    isFigure: true,
    isMinor: true,
  },
];

/** @type {readonly Column<RecentRequest>[]} */
const recentColumns = [
  { title: "Time", text: ({ at }) => momentText(at) },
  { title: "Status", text: ({ status }) => String(status), tone: ({ status }) => statusTone(status) },
  { title: "Method", text: ({ method }) => method },
  { title: "Route", text: ({ route }) => route },
  { title: "Duration", text: ({ duration_ms }) => durationText(duration_ms), isFigure: true },
  { title: "Error", text: ({ error }) => error ?? nothing },
  { title: "Role", text: ({ role }) => role ?? nothing, isMinor: true },
  { title: "User", text: ({ user_id }) => user_id ?? nothing, isMinor: true },
  { title: "Request id", text: ({ request_id }) => request_id, isMinor: true },
];

/**
 * @param {Awaited<ReturnType<typeof readRequests>>} data
 * @param {ViewTools} tools
 */
export function requestsView({ summary, span, timeseries, histogram, routes, requests }, tools) {
  const { filters, setFilter, openDetails } = tools;
  const routesTable = table({
    label: "Routes",
    items: routes,
    columns: routeColumns,
    keyOf: ({ method, route, model, operation }) => [method, route, model, operation].join(" "),
    empty: none,
    sortedBy: "Requests",
  });
  const recentTable = table({
    label: "Recent requests",
    items: requests,
    columns: recentColumns,
    keyOf: ({ request_id, at }) => `${request_id} ${at}`,
    empty: "No such requests yet",
    open: ({ request_id }) => openDetails("trace", request_id),
  });
  return html`
    <dl id="summary" class="tiles">${summaryTiles(summary, span)}</dl>
    <div id="traffic" class="charts">
      ${timeChart(rateLook, timeseries, ({ requests: count }) => [count / timeseries.bucket_seconds])}
      ${timeChart(errorsLook, timeseries, ({ errors_4xx, errors_5xx }) => [errors_4xx, errors_5xx])}
      ${timeChart(latencyLook, timeseries, ({ p95_ms, avg_ms }) => [p95_ms, avg_ms])}
    </div>
    <div class="pair">
      ${panel("latencies", "Latency distribution", latencyBars(histogram))}
      ${panel("routes", "Routes", routesTable, routeFilter(tools))}
    </div>
    ${panel("recent", "Recent requests", recentTable, [
      filterList("recent-status", "Status", requestStatuses, filters.requests, (value) =>
        setFilter("requests", value),
      ),
      traceForm((id) => openDetails("trace", id)),
    ])}`;
}

/**
 * Each figure with its difference from the window before.
 *
 * @param {Summary} summary
 * @param {TimeSpan} span
 */
function summaryTiles({ delta, duration_ms: duration, ...summary }, { before }) {
  /** @type {(difference: number | null, text: (size: number) => string) => string} */
  const compared = (difference, text) =>
    difference === null ? `no traffic in the ${before}` : `${signed(difference, text)} on the ${before}`;
  /** @type {(difference: number | null) => Tone} */
  const toneOf = (difference) => ((difference ?? 0) > 0 ? "warn" : "plain");
  /** @type {(count: number, difference: number) => string} */
  const failures = (count, difference) => `${countText(count)} requests, ${signed(difference, pointsText)}`;
  return [
    tile("Requests per second", rateText(summary.request_rate), compared(delta.request_rate, rateText)),
    tile("Requests", countText(summary.requests), compared(delta.requests, countText)),
    tile("4xx", percentText(summary.error_rate_4xx), failures(summary.errors_4xx, delta.error_rate_4xx), {
      noteTone: toneOf(delta.error_rate_4xx),
    }),
    tile("5xx", percentText(summary.error_rate_5xx), failures(summary.errors_5xx, delta.error_rate_5xx), {
      tone: failureTone(summary.errors_5xx),
      noteTone: toneOf(delta.error_rate_5xx),
    }),
    tile("Median", durationText(duration.p50), `average ${durationText(duration.avg)}`),
    tile(
      "p95",
      durationText(duration.p95),
      duration.p95 === null ? nothing : compared(delta.p95, durationText),
      {
        noteTone: toneOf(delta.p95),
      },
    ),
    tile("p99", durationText(duration.p99), `slowest ${durationText(duration.max)}`),
  ];
}

/** A bar for each pair of edges. @param {Histogram} histogram */
function latencyBars({ edges_ms: edges, counts, total }) {
  const most = Math.max(1, ...counts);
  const bars = counts.map((count, index) => {
    const edge = edges[index];
    const label =
      edge === undefined ? `> ${roundDurationText(edges.at(-1) ?? 0)}` : `≤ ${roundDurationText(edge)}`;
    return html`
      <li key=${label}>
        <span>${label}</span>
        <span class="track"><span class="bar" style=${{ "--width": `${(100 * count) / most}%` }}></span></span>
        <span class="count">${compactText(count)}</span>
        <span class="share">${count === 0 ? "" : percentText(count / total)}</span>
      </li>`;
  });
  return html`<ol class="bins">${bars}</ol>${total === 0 && empty(none)}`;
}

/** @param {ViewTools} tools */
function routeFilter({ routeText, onRouteText, setFilter }) {
  /** @type {(use: (value: string) => void) => (event: { currentTarget: HTMLInputElement }) => void} */
  const withValue = (use) => (event) => use(event.currentTarget.value);
  return html`
    <label>
      Route contains${" "}
      <input
        id="route-filter"
        type="search"
        autocomplete="off"
        autocapitalize="none"
        spellcheck=${false}
        maxlength="128"
        value=${routeText}
        onInput=${withValue(onRouteText)}
        onChange=${withValue((value) => setFilter("route", value.trim()))}
      />
    </label>`;
}

/** @param {(requestId: string) => void} open */
function traceForm(open) {
  const onSubmit = (/** @type {SubmitEvent & { currentTarget: HTMLFormElement }} */ event) => {
    event.preventDefault();
    const requestId = String(new FormData(event.currentTarget).get("id")).trim();
    if (requestId !== "") open(requestId);
  };
  return html`
    <form id="trace-form" onSubmit=${onSubmit}>
      <label for="trace-id">Request id</label>
      <input id="trace-id" name="id" autocomplete="off" autocapitalize="none" spellcheck=${false} maxlength="128" />
      <button type="submit">Open trace</button>
    </form>`;
}
