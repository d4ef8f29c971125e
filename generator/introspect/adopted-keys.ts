import { fieldKinds } from "../../vocabulary/fields/field-kinds.ts";
import type { CatalogIndex } from "../../vocabulary/migrations/catalog.ts";
import { defaults } from "../definition/defaults.ts";
import { type Draft, type DraftColumn, fieldOf } from "./draft.ts";
import type { AdoptedRules } from "./field-rules.ts";
import type { Remark } from "./remarks.ts";

/** The maximum size of an index entry in PostgreSQL. The generator refuses keys whose entries could be larger. */
const maxEntryBytes = 2704;
const bytesPerCharacter = 4;

/** The minimum length limit for a text. */
const leastTextLength = 255;

/**
 * The maximum length for unlimited texts in an index on these columns. Infinite without such texts; null if values can be too long
 * for an index entry with any limit. `bounded` tests for columns with an enum, and `refers` for columns whose length is that of
 * another model's field.
 */
function textLengthIn(
  columns: readonly DraftColumn[],
  bounded: (column: DraftColumn) => boolean,
  refers: (column: DraftColumn) => boolean,
): number | null {
  const texts = columns.filter(
    (column) => fieldKinds[column.type.kind].compared === "as text" && !bounded(column),
  );
  const open = texts.filter(({ type }) => type.kind === "text");
  if (open.some(refers)) return null;
  const closed = texts
    .filter(({ type }) => type.kind === "string")
    .map(({ type }) => (type.maxLength ?? defaults.stringLength) * bytesPerCharacter);
  const others = 8 * (columns.length - texts.length);
  const freeBytes = maxEntryBytes - others - closed.reduce((sum, bytes) => sum + bytes, 0);
  if (open.length === 0) return freeBytes < 0 ? null : Number.POSITIVE_INFINITY;
  const length = Math.floor(freeBytes / bytesPerCharacter / open.length);
  return length < leastTextLength ? null : length;
}

/** An index that the model can declare. Columns are fields, or runtime columns if the index is not unique. */
export interface AdoptedKey {
  /** Null for the former primary key, which becomes a unique key. */
  readonly index: CatalogIndex | null;
  readonly columns: readonly DraftColumn[];
  readonly unique: boolean;
}

export interface Keys {
  readonly keys: readonly AdoptedKey[];
  /** The length limits that unlimited texts need for their indexes. */
  readonly textLengths: ReadonlyMap<DraftColumn, number>;
  readonly remarks: readonly Remark[];
}

interface Found extends Pick<AdoptedRules, "enums"> {
  readonly keys: AdoptedKey[];
  readonly textLengths: Map<DraftColumn, number>;
}

type ColumnTest = (column: DraftColumn) => boolean;

/** Finds the unique keys and indexes of a table that its model can declare. `refers` tests for columns that are relations. */
export function keysOf(draft: Draft, { enums }: AdoptedRules, refers: ColumnTest): Keys {
  const { source, primaryKey } = draft;
  const found: Found = { keys: [], textLengths: new Map(), enums };
  const lengthIn = textLengths((column) => enums.has(column), refers);
  const remarks: Remark[] = [];
  for (const key of formerKey(draft)) {
    const why = added(key, lengthIn(key), found);
    const what = `primary key ${primaryKey?.name ?? ""}`;
    const outcome = `${why}: NOTHING KEEPS IT UNIQUE after the next migration`;
    if (why !== null) remarks.push({ table: source.name, what, outcome, loud: true });
  }
  for (const index of source.indexes) {
    if (index.name === primaryKey?.name) continue;
    const key = keyOf(draft, index);
    const why = typeof key === "string" ? key : added(key, lengthIn(key), found);
    if (why !== null) remarks.push(indexRemark(source.name, index, why));
  }
  return { keys: found.keys, textLengths: found.textLengths, remarks };
}

/** The maximum length of texts in a key; see `textLengthIn`. */
function textLengths(bounded: ColumnTest, refers: ColumnTest): (key: AdoptedKey) => number | null {
  return ({ columns, unique }) => {
    // A foreign key gets an index without a declaration.
    const implied = !unique && columns.length === 1 && columns.every(refers);
    return implied ? Number.POSITIVE_INFINITY : textLengthIn(columns, bounded, refers);
  };
}

/** Adds a key to the found keys. Returns why it cannot, or null. */
function added(
  key: AdoptedKey,
  length: number | null,
  { keys, textLengths: lengths, enums }: Found,
): string | null {
  if (isKnown(key, keys)) return "another index has the same columns";
  if (length === null) return "its values can be too long for an index of the models";
  keys.push(key);
  const open = key.columns.filter((column) => column.type.kind === "text" && !enums.has(column));
  if (Number.isFinite(length))
    for (const column of open) lengths.set(column, Math.min(length, lengths.get(column) ?? length));
  return null;
}

function formerKey(draft: Draft): AdoptedKey[] {
  if (draft.primaryKey === null || draft.keepsIds) return [];
  const columns = draft.primaryKey.columns.flatMap((name) => fieldOf(draft, name) ?? []);
  return [{ index: null, columns, unique: true }];
}

function keyOf(draft: Draft, index: CatalogIndex): AdoptedKey | string {
  if (!index.valid) return "it is not valid (its creation failed)";
  const deferred = draft.source.constraints.some(
    ({ name, definition }) => name === index.name && /\bDEFERRABLE\b/.test(definition),
  );
  if (index.columns === null || deferred) return "it is not a plain index";
  const live = draft.softDelete && /^\(?deleted_at IS NULL\)?$/.test(index.predicate ?? "");
  if (index.predicate !== null && !(live && index.unique)) return "it covers only some of the rows";
  const columns = index.columns.flatMap(
    (name) => draft.columns.find(({ source }) => source.name === name) ?? [],
  );
  if (columns.length < index.columns.length) return "one of its columns is not a field";
  if (columns.some(({ type }) => !fieldKinds[type.kind].options.includes("index")))
    return "the type of a column cannot be indexed";
  const lists = columns.filter(({ type }) => type.elements !== null).length;
  if (lists > 0 && (index.method !== "gin" || columns.length > 1)) return "a list needs a separate GIN index";
  if (index.method !== "btree" && lists === 0) return "it is not a plain index";
  if (index.unique && columns.some(({ place }) => place !== "field"))
    return "the service sets one of its columns";
  if (columns.every(({ place }) => place === "id")) return "ids already have an index";
  return { index, columns, unique: index.unique };
}

function isKnown(key: AdoptedKey, keys: readonly AdoptedKey[]): boolean {
  return keys.some(
    ({ unique, columns }) =>
      unique === key.unique &&
      columns.length === key.columns.length &&
      columns.every((column, place) => column === key.columns[place]),
  );
}

function indexRemark(table: string, { name, unique }: CatalogIndex, why: string): Remark {
  const what = `${unique ? "unique index" : "index"} ${name}`;
  return { table, what, outcome: `${why}: it stays in the database, but not in the models` };
}
