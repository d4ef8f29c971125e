import type { Widened } from "./access-changes.ts";
import { fieldText, rowsOf, rowsText, who } from "./access-text.ts";

/** So many entries that open alike stand under one heading. */
const many = 3;

/** Entries that open alike to one role, as a renamed role makes them all over the models, stand together. */
export function accessGroups(entries: readonly Widened[]): Widened[][] {
  const groups = new Map<string, Widened[]>();
  for (const entry of entries) {
    const key = JSON.stringify(
      "rows" in entry ? [entry.role, entry.rows, entry.instead] : [entry.role, entry.gate],
    );
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  return [...groups.values()];
}

/** A line for each entry of a group, or a heading and a line for each model. */
export function groupLines(group: readonly Widened[]): string[] {
  const [first] = group;
  if (first === undefined || group.length < many)
    return group.map((entry) => ("rows" in entry ? rowsText(entry) : fieldText(entry)));
  const models = new Map<string, string[]>();
  for (const entry of group) {
    const [model = "", name = ""] = ("rows" in entry ? entry.operation : entry.field).split(".");
    models.set(model, [...(models.get(model) ?? []), name + along(entry)]);
  }
  return [heading(first), ...[...models].map(([model, names]) => `  ${model}: ${names.join(", ")}`)];
}

function heading(entry: Widened): string {
  if (!("rows" in entry))
    return `can be ${entry.gate === "read" ? "read" : "written"} by ${who(entry.role)}:`;
  const before = entry.instead === null ? "nothing" : rowsOf(entry.instead);
  return `opens ${rowsOf(entry.rows)} to ${who(entry.role)}; before: ${before}:`;
}

function along(entry: Widened): string {
  return "rows" in entry && entry.along.length > 0 ? ` (with ${entry.along.join(" and ")})` : "";
}
