import { type ModelPair, modelPairs, type TableChanges } from "../access/model-pairs.ts";
import type { OpenedField, OpenedRows, Openings } from "../access/openings.ts";
import { type BreakingChange, fieldChanges } from "./breaking-fields.ts";
import type { ApiModel, ApiSurface } from "./surface.ts";

export type { BreakingChange } from "./breaking-fields.ts";

/** What callers notice of a change of the API. `closed` is what roles reached before and do not reach now. */
export function breakingChanges(
  before: ApiSurface,
  after: ApiSurface,
  tables: TableChanges,
  closed: Openings,
): BreakingChange[] {
  const pairs = new Map(
    [...modelPairs(tables, new Set(Object.keys(before))).values()].map((pair) => [pair.before.key, pair]),
  );
  return Object.entries(before).flatMap(([key, was]): BreakingChange[] => {
    const pair = pairs.get(key);
    const is = pair === undefined ? undefined : own(after, pair.after.key);
    if (pair === undefined || is === undefined) {
      const change = pair === undefined ? `${key} is gone` : `${key} is internal now`;
      return [{ change, notices: `every caller of ${was.path} gets 404` }];
    }
    return [
      ...modelChanges(pair, was, is),
      ...closedRows(key, is, closed.rows),
      ...columnChanges(pair, was, is),
      ...closedFields(key, is, pair, closed.fields),
    ];
  });
}

/** Models and fields may be called like what every object has, `constructor` for one. */
function own<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function modelChanges({ before, after }: ModelPair, was: ApiModel, is: ApiModel): BreakingChange[] {
  const changes: BreakingChange[] = [];
  const { key } = after;
  const note = (change: string, notices: string) => changes.push({ change: `${key}${change}`, notices });
  if (was.path !== is.path) note(` is at ${is.path}, and was at ${was.path}`, "every caller of it gets 404");
  for (const operation of was.operations)
    if (!is.operations.includes(operation) && (operation !== "restore" || is.soft_delete))
      note(`.${operation} is open to nobody any more`, "its callers get 403");
  if (was.soft_delete && !is.soft_delete)
    note(" has no soft_delete any more", "delete removes rows for good, and restore is 404");
  if (is.max_limit < was.max_limit)
    note(` answers at most ${is.max_limit} rows a page, ${was.max_limit} before`, "whoever asks for more");
  const [former, current] = [
    was.unique.map((fields) => fields.map(before.nameOf).join(", ")),
    is.unique.map((fields) => fields.join(", ")),
  ];
  for (const fields of current)
    if (!former.includes(fields))
      note(`: ${fields} must be unique now`, "whoever sends what is there already");
  for (const fields of former)
    if (!current.includes(fields)) note(`: ${fields} need not be unique any more`, "whoever upserts by it");
  return changes;
}

function columnChanges({ before, after }: ModelPair, was: ApiModel, is: ApiModel): BreakingChange[] {
  const everybody = "whoever sends, reads or filters by it";
  const kept = Object.entries(was.fields).flatMap(([name, field]): BreakingChange[] => {
    const current = before.nameOf(name);
    const now = own(is.fields, current);
    // `soft_delete` that goes is a line of its own.
    if (now === undefined)
      return name === "deleted_at" ? [] : [{ change: `${after.key}.${name} is gone`, notices: everybody }];
    const renamed = { change: `${after.key}.${name} is called ${current} now`, notices: everybody };
    return [...(current === name ? [] : [renamed]), ...fieldChanges(`${after.key}.${current}`, field, now)];
  });
  const known = new Set(Object.keys(was.fields).map(before.nameOf));
  const demanded = Object.entries(is.fields)
    .filter(([name, { required }]) => required === true && !known.has(name))
    .map(([name]) => ({
      change: `${after.key}.${name} is new and required`,
      notices: "whoever creates without it",
    }));
  return [...kept, ...demanded];
}

/** Rows that a role does not reach any more, of operations that somebody still reaches. */
function closedRows(key: string, is: ApiModel, closed: readonly OpenedRows[]): BreakingChange[] {
  return closed.flatMap(({ operation, along, role, rows, instead }) => {
    const [model, name = ""] = operation.split(".");
    if (model !== key || !is.operations.includes(name.split(":")[0] ?? "")) return [];
    const all = [operation, ...along.map((other) => `${key}.${other}`)].join(", ");
    if (instead === null) {
      const whom = role === "*" ? "everybody" : role;
      return [{ change: `${all} is not open to ${whom} any more`, notices: "they get 403" }];
    }
    const whom = role === "*" ? "everybody" : role;
    return [
      {
        change: `${all} may open fewer rows to ${whom}, not ${rows}`,
        notices: "rows are missing or refused",
      },
    ];
  });
}

function closedFields(
  key: string,
  is: ApiModel,
  { before }: ModelPair,
  closed: readonly OpenedField[],
): BreakingChange[] {
  return closed.flatMap(({ field, gate, role }) => {
    const name = field.slice(key.length + 1);
    if (!field.startsWith(`${key}.`) || own(is.fields, before.nameOf(name))?.[gate] === "nobody") return [];
    const whom = role === "*" ? "everybody" : role;
    const change = `${field} cannot be ${gate === "read" ? "read" : "written"} by ${whom} any more`;
    return [{ change, notices: "they get 403, or answers without it" }];
  });
}
