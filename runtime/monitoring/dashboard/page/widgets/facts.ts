import { type Child, element } from "../dom.ts";

/** Names with what belongs to them; what is null is left out. */
export function factsList(facts: readonly (readonly [name: string, value: Child | null])[]): HTMLElement {
  const shown = facts.flatMap(([name, value]) =>
    value === null ? [] : [element("dt", {}, name), element("dd", {}, value)],
  );
  return element("dl", { class: "facts" }, ...shown);
}

/** A part of a page with a heading over it. */
export function titled(title: string, ...children: readonly Child[]): HTMLElement {
  return element("section", {}, element("h3", {}, title), ...children);
}
