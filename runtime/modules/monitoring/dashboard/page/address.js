// @ts-check
/** @import { Filters, Reading } from "./types.ts" */

/** A wide window costs more to read and changes less, so the page reads it less often. */
export const timeSpans = /** @type {const} */ ([
  { seconds: 300, name: "5 min", before: "5 minutes before", bucketSeconds: 5, refreshMs: 5_000 },
  { seconds: 3_600, name: "1 h", before: "hour before", bucketSeconds: 60, refreshMs: 5_000 },
  { seconds: 21_600, name: "6 h", before: "6 hours before", bucketSeconds: 300, refreshMs: 15_000 },
  { seconds: 86_400, name: "24 h", before: "day before", bucketSeconds: 900, refreshMs: 30_000 },
  { seconds: 604_800, name: "7 d", before: "week before", bucketSeconds: 7_200, refreshMs: 60_000 },
]);

export const tabNames = /** @type {const} */ (["requests", "ai", "mcp", "store"]);
export const requestStatuses = ["2xx", "3xx", "4xx", "5xx"];
export const runStatuses = ["completed", "failed", "pending_approval"];
export const callStatuses = ["ok", "error", "asked"];

const parameters = () => new URLSearchParams(location.hash.slice(1));

/** The state of the page in the address, after the `#`. Unknown values count as missing. */
export function readAddress() {
  const state = parameters();
  const seconds = Number(state.get("window"));
  const oneOf = (/** @type {string} */ name, /** @type {readonly string[]} */ values) =>
    values.find((value) => value === state.get(name)) ?? "";
  return {
    span: timeSpans.find((span) => span.seconds === seconds) ?? timeSpans[1],
    tab: tabNames.find((tab) => tab === state.get("tab")) ?? tabNames[0],
    filters: {
      route: state.get("route")?.trim() ?? "",
      requests: oneOf("requests", requestStatuses),
      runs: oneOf("runs", runStatuses),
      calls: oneOf("calls", callStatuses),
      server: state.get("server") ?? "",
    },
    trace: state.get("trace"),
    run: state.get("run"),
  };
}

/**
 * Sets a value in the address. The ingestion key is never in the address.
 *
 * @param {"window" | "tab" | "trace" | "run" | keyof Filters} name
 * @param {string} value empty: removes it
 */
export function noteInAddress(name, value) {
  const state = parameters();
  if (value === "") state.delete(name);
  else state.set(name, value);
  history.replaceState(null, "", state.size === 0 ? location.pathname + location.search : `#${state}`);
}

/** The query of a window. @param {Reading} reading */
export const windowOf = ({ span }) => ({ window_seconds: span.seconds });

/** The query of a window in buckets. @param {Reading} reading */
export const bucketsOf = ({ span }) => ({ window_seconds: span.seconds, bucket_seconds: span.bucketSeconds });
