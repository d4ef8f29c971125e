import type { RequestTrace } from "../../../records/reads.ts";
import { element } from "../dom.ts";
import { bytesText, durationText } from "../text/number-texts.ts";
import { zonedText } from "../text/time-texts.ts";
import { factsList, titled } from "../widgets/facts.ts";
import { levelTone, statusTone } from "../widgets/tone.ts";
import { waterfall } from "../widgets/waterfall.ts";

/** All that is known of one request. */
export function traceDetails(trace: RequestTrace): readonly HTMLElement[] {
  const { errors, logs } = trace;
  return [
    headOf(trace),
    titled("Steps", stepsOf(trace)),
    ...(errors.length === 0 ? [] : [titled("Errors", ...errors.map(errorOf))]),
    titled(
      "Logs",
      logs.length === 0
        ? quiet("No line was captured.")
        : element("ol", { class: "logs" }, ...logs.map((log) => logOf(log, errors))),
    ),
  ];
}

function headOf({ request }: RequestTrace): HTMLElement {
  const { method, route, status, duration_ms: duration, model, operation } = request;
  const badge = element("span", { class: "badge", "data-tone": statusTone(status) }, String(status));
  return element(
    "div",
    { class: "head" },
    element("p", { class: "what" }, badge, element("code", {}, `${method} ${route}`), durationText(duration)),
    factsList([
      ["Request id", element("code", {}, request.request_id)],
      ["Time", zonedText(request.at, new Date())],
      ["Error", request.error],
      ["Model", model === null ? null : [model, operation].join(" · ")],
      ["Role", request.role],
      ["User", request.user_id],
      ["Answer", bytesText(request.bytes)],
    ]),
  );
}

function stepsOf({ request, steps }: RequestTrace): HTMLElement {
  if (steps.length === 0) return quiet("None was recorded: the request was not in the sample, and not slow.");
  const bars = steps.map(({ name, at_ms: atMs, duration_ms: durationMs }) => ({ name, atMs, durationMs }));
  return waterfall(bars, request.duration_ms);
}

function errorOf({ code, message, stack }: RequestTrace["errors"][number]): HTMLElement {
  const shown = [element("p", {}, element("code", {}, code), " ", message)];
  const pre = stack === undefined ? [] : [element("pre", { tabindex: "0", "aria-label": "Stack" }, stack)];
  return element("div", { class: "error" }, ...shown, ...pre);
}

function logOf(
  { at, level, message, fields }: RequestTrace["logs"][number],
  errors: RequestTrace["errors"],
): HTMLElement {
  const shown = new Set(errors.flatMap(({ stack }) => (stack === undefined ? [] : [firstLine(stack)])));
  // The error above has its stack already.
  const isShown = (key: string, value: unknown) =>
    key === "stack" && typeof value === "string" && shown.has(firstLine(value));
  const text = JSON.stringify(fields, (key, value: unknown) => (isShown(key, value) ? undefined : value));
  return element(
    "li",
    {},
    element("span", { class: "when" }, zonedText(at, new Date())),
    element("span", { class: "level", "data-tone": levelTone(level) }, level),
    element("span", {}, message),
    ...(text === "{}" ? [] : [element("code", {}, text)]),
  );
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

function quiet(text: string): HTMLElement {
  return element("p", { class: "empty" }, text);
}
