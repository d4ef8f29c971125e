import type { TraceHeaders } from "../concurrency/index.ts";

/** Version, trace id, parent id and flags. A later version can add fields. A list of two headers does not match. */
const form = /^(?!ff)([0-9a-f]{2})-((?!0{32})[0-9a-f]{32})-((?!0{16})[0-9a-f]{16})-([0-9a-f]{2})(-[^\s,]*)?$/;

/** Printable ASCII, so that it also fits a mail. */
const state = /^[!-~][ -~]{0,511}$/;

/** Reads the headers of a caller. Returns null if `traceparent` is missing or malformed. */
export function readTraceHeaders({
  traceparent,
  tracestate,
}: Readonly<Record<string, unknown>>): TraceHeaders | null {
  if (typeof traceparent !== "string") return null;
  const [, version, trace, parent, flags = "", more] = form.exec(traceparent) ?? [];
  if (version === undefined || (version === "00" && more !== undefined)) return null;
  // Only this bit has the same meaning in later versions.
  const known = version === "00" ? flags : `0${Number.parseInt(flags, 16) & 1}`;
  const headers = { traceparent: `00-${trace}-${parent}-${known}` };
  return typeof tracestate === "string" && state.test(tracestate) ? { ...headers, tracestate } : headers;
}
