import { fieldKinds } from "../definition/field-kinds.ts";
import type { CatalogIndex } from "./catalog.ts";
import { type Draft, type DraftColumn, fieldOf } from "./draft.ts";
import type { FieldRules } from "./field-rules.ts";
import { textLengthIn } from "./key-sizes.ts";
import type { Remark } from "./remarks.ts";

/** An index that the model has too. Columns are fields, or runtime columns in an index that is not unique. */
export interface Key {
  /** Null for the former primary key, which becomes a unique key. */
  readonly index: CatalogIndex | null;
  readonly columns: readonly DraftColumn[];
  readonly unique: boolean;
}

export interface Keys {
  readonly keys: readonly Key[];
  /** Lengths that texts without one need for their indexes. */
  readonly textLengths: ReadonlyMap<DraftColumn, number>;
  readonly remarks: readonly Remark[];
}

/** Finds the unique keys and indexes of a table that its model can have. */
export function keysOf(draft: Draft, { enums }: FieldRules): Keys {
  const { source, primaryKey } = draft;
  const keys: Key[] = [];
  const textLengths = new Map<DraftColumn, number>();
  const remarks: Remark[] = [];
  const references = new Set(
    source.constraints.flatMap(({ kind, columns }) =>
      kind === "foreign_key" && columns.length === 1 ? columns : [],
    ),
  );
  const refers = ({ source: { name } }: DraftColumn) => references.has(name);
  const add = (key: Key) => {
    // A foreign key has an index that need not be declared.
    const implied = !key.unique && key.columns.length === 1 && key.columns.every(refers);
    const length = implied
      ? Number.POSITIVE_INFINITY
      : textLengthIn(key.columns, (column) => enums.has(column), refers);
    if (length === null) return "its values may be too long for an index of the models";
    for (const column of key.columns)
      if (column.type.kind === "text" && !enums.has(column) && Number.isFinite(length))
        textLengths.set(column, Math.min(length, textLengths.get(column) ?? length));
    keys.push(key);
    return null;
  };
  for (const key of formerKey(draft)) {
    const why = add(key);
    const what = `primary key ${primaryKey?.name ?? ""}`;
    if (why !== null)
      remarks.push({
        table: source.name,
        what,
        outcome: `${why}: NOTHING KEEPS IT UNIQUE any more`,
        loud: true,
      });
  }
  for (const index of source.indexes) {
    if (index.name === primaryKey?.name) continue;
    const found = keyOf(draft, index);
    const why =
      typeof found === "string" ? found : isKnown(found, keys) ? "there is one like it" : add(found);
    if (why !== null) remarks.push(indexRemark(source.name, index, why));
  }
  return { keys, textLengths, remarks };
}

function formerKey(draft: Draft): Key[] {
  if (draft.primaryKey === null || draft.keepsIds) return [];
  const columns = draft.primaryKey.columns.flatMap((name) => fieldOf(draft, name) ?? []);
  return [{ index: null, columns, unique: true }];
}

function keyOf(draft: Draft, index: CatalogIndex): Key | string {
  if (!index.valid) return "it was never finished";
  const deferred = draft.source.constraints.some(
    ({ name, definition }) => name === index.name && /\bDEFERRABLE\b/.test(definition),
  );
  if (index.columns === null || deferred) return "it is no plain index";
  const live = draft.softDelete && /^\(?deleted_at IS NULL\)?$/.test(index.predicate ?? "");
  if (index.predicate !== null && !(live && index.unique)) return "it holds a part of the rows only";
  const columns = index.columns.flatMap(
    (name) => draft.columns.find(({ source }) => source.name === name) ?? [],
  );
  if (columns.length < index.columns.length) return "one of its columns is no field";
  if (columns.some(({ type }) => !fieldKinds[type.kind].options.includes("index")))
    return "its type has no order";
  if (index.unique && columns.some(({ place }) => place !== "field"))
    return "the service sets one of its columns";
  if (columns.every(({ place }) => place === "id")) return "the ids have an index";
  return { index, columns, unique: index.unique };
}

function isKnown(key: Key, keys: readonly Key[]): boolean {
  return keys.some(
    ({ unique, columns }) =>
      unique === key.unique &&
      columns.length === key.columns.length &&
      columns.every((column, place) => column === key.columns[place]),
  );
}

function indexRemark(table: string, { name, unique }: CatalogIndex, why: string): Remark {
  const what = `${unique ? "unique index" : "index"} ${name}`;
  return { table, what, outcome: `${why}: it stays in the database, and is not in the models` };
}
