import { element, setProperty } from "../dom.ts";
import { durationText } from "../text/number-texts.ts";

/** Something that took a while. */
export interface Bar {
  readonly name: string;
  readonly atMs: number;
  readonly durationMs: number;
}

const kinds = ["auth", "limit", "validate", "parse", "plan", "sql", "serialize", "hook"];

/** Bars below each other, each where it began and as wide as it took, of a whole of `totalMs`. */
export function waterfall(bars: readonly Bar[], totalMs: number): HTMLElement {
  const whole = Math.max(totalMs, ...bars.map(({ atMs, durationMs }) => atMs + durationMs), 0.001);
  const scale = [0, 0.25, 0.5, 0.75, 1].map((share) => element("span", {}, durationText(whole * share)));
  const rows = bars.map((bar) => rowOf(bar, whole));
  return element(
    "div",
    { class: "waterfall" },
    element(
      "div",
      { class: "scale", "aria-hidden": "true" },
      element("span"),
      element("span", { class: "ticks" }, ...scale),
    ),
    element("ol", {}, ...rows),
  );
}

function rowOf({ name, atMs, durationMs }: Bar, whole: number): HTMLElement {
  const bar = element("span", { class: "bar", "data-kind": kindOf(name) });
  setProperty(bar, "--from", `${share(atMs, whole)}%`);
  setProperty(bar, "--width", `${share(durationMs, whole)}%`);
  return element(
    "li",
    {},
    element("span", { class: "name", title: name }, name),
    element("span", { class: "track" }, bar),
    element("span", { class: "took" }, durationText(durationMs)),
    element("span", { class: "unseen" }, `, begun after ${durationText(atMs)}`),
  );
}

function share(part: number, whole: number): number {
  return Math.max(0, Math.min(100, (100 * part) / whole));
}

/** What a step is for style sheets: those of hooks have the name of the hook after a colon. */
function kindOf(name: string): string {
  const [kind = ""] = name.split(":");
  return kinds.includes(kind) ? kind : "other";
}
