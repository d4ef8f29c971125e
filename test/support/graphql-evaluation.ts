import type { Json } from "#vocabulary/json";
import { type Data, dataModels, relationsOf } from "./graphql-data-models.ts";
import { type Flag, keyOf, type ListArguments, type Part, type RootPart } from "./graphql-random.ts";

/** Live rows by model, as they are answered. */
export type Tables = { readonly [model: string]: readonly Data[] };

/** What a document answers, worked out from rows in memory. */
export function evaluate(roots: readonly RootPart[], tables: Tables): Data {
  const entries = roots.map(({ model, list, selection }, at): [string, Json] => [
    `r${at}`,
    listed(tables[model] ?? [], model, list).map((row) => objectOf(row, model, selection, tables)),
  ]);
  return Object.fromEntries(entries);
}

function listed(
  rows: readonly Data[],
  model: string,
  { above, descending, limit, offset }: ListArguments,
): Data[] {
  const { maxLimit } = dataModels[model] ?? { maxLimit: 10 };
  const found = rows.filter(({ id }) => above === null || Number(id) > above);
  const ordered = found.toSorted((a, b) => (Number(a["id"]) - Number(b["id"])) * (descending ? -1 : 1));
  const start = offset ?? 0;
  return ordered.slice(start, start + Math.min(limit ?? 10, maxLimit));
}

function objectOf(row: Data, model: string, selection: readonly Part[], tables: Tables): Data {
  const object: { [key: string]: Json } = {};
  for (const part of selection.filter(({ flag }) => isTaken(flag))) {
    const key = keyOf(part);
    const value = fieldOf(row, model, part, tables);
    object[key] = key in object ? merged(object[key] ?? null, value) : value;
  }
  return object;
}

const isTaken = (flag: Flag | null): boolean =>
  flag === null || (flag.directive === "include") === flag.value;

function fieldOf(row: Data, model: string, { field, list, selection }: Part, tables: Tables): Json {
  if (field === "__typename") return model;
  const join = relationsOf(model)[field];
  if (join === undefined || selection === null) return row[field] ?? null;
  const rows = (tables[join.model] ?? []).filter(
    (other) => row[join.field] !== null && other[join.references] === row[join.field],
  );
  const shown = (other: Data) => objectOf(other, join.model, selection, tables);
  if (list !== null) return listed(rows, join.model, list).map(shown);
  const [first] = rows;
  return first === undefined ? null : shown(first);
}

/** Two answers of the same field are one: their objects hold what either asked for. */
function merged(a: Json, b: Json): Json {
  if (Array.isArray(a) && Array.isArray(b)) return a.map((entry: Json, at) => merged(entry, b[at] ?? null));
  if (!isObject(a) || !isObject(b)) return a;
  const both = Object.entries(b).map(([key, value]): [string, Json] => [
    key,
    key in a ? merged(a[key] ?? null, value) : value,
  ]);
  return { ...a, ...Object.fromEntries(both) };
}

const isObject = (value: Json): value is Data =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether what a document takes holds a model or a field (`model.field`) that is denied. */
export function asksFor(denied: ReadonlySet<string>, roots: readonly RootPart[]): boolean {
  const within = (model: string, selection: readonly Part[]): boolean =>
    selection.some(({ flag, field, selection: below }) => {
      if (!isTaken(flag)) return false;
      const join = relationsOf(model)[field];
      if (join === undefined || below === null) return denied.has(`${model}.${field}`);
      return denied.has(join.model) || within(join.model, below);
    });
  return roots.some(({ model, selection }) => denied.has(model) || within(model, selection));
}
