import { kindOfType } from "../../../vocabulary/fields/field-kinds.ts";
import type { Json } from "../../../vocabulary/json.ts";
import { literalDefault } from "../field-defaults.ts";
import { type FoundKey, foundKeys, isImplied } from "./found-keys.ts";
import type { FoundRelation } from "./found-relations.ts";
import { type FoundTable, type HeldColumn, isReadOnly, isTextId } from "./found-table.ts";

type JsonObject = { readonly [key: string]: Json };

/** What the models of a database share. */
export interface FoundParts {
  readonly relations: readonly FoundRelation[];
  readonly collections: ReadonlyMap<FoundTable, readonly FoundRelation[]>;
  /** Whether ids are JSON strings, because a number cannot hold them. */
  readonly isLarge: (table: FoundTable) => boolean;
  /** Whether a column has values that the API cannot hold. */
  readonly isOutOfRange: (table: FoundTable, column: HeldColumn) => boolean;
  /** Whether a trigger sets a column. */
  readonly isFilled: (table: FoundTable, column: HeldColumn, write: "insert" | "update") => boolean;
  /** The role that `--open` names. */
  readonly open: string | null;
}

/** A model as the models file has it. */
export function foundModelJson(table: FoundTable, parts: FoundParts): JsonObject {
  const { key, source, schemaName, view, rowKey } = table;
  const own = parts.relations.filter(({ from }) => from === table);
  const keys = foundKeys(table);
  const shared = own.find(({ column }) => column === table.id);
  const fields = table.columns
    .filter((column) => column.place === "field" || column === shared?.column)
    .map((column) => [column.name, fieldJson(table, column, { parts, own, keys })] as const);
  const lists = (unique: boolean): Json => keys.filter((one) => isList(one, unique)).map(namesOf);
  return withoutEmpty({
    table: source.name === key ? null : source.name,
    schema_name: schemaName,
    description: source.comment,
    view,
    read_only: isReadOnly(table) && !view,
    id_type: foundIdType(table, parts),
    columns: runtimeColumns(table, parts, shared !== undefined),
    key: rowKey === null ? null : rowKey.flatMap((name) => fieldNamed(table, name)),
    fields: Object.fromEntries([...fields, ...(parts.collections.get(table) ?? []).map(collectionJson)]),
    unique: lists(true),
    indexes: lists(false),
    access: accessJson(table, parts.open),
  });
}

function fieldNamed({ columns }: FoundTable, column: string): string[] {
  return columns.filter(({ source }) => source.name === column).map(({ name }) => name);
}

/** The `id_type`; null for the usual one. An id that is a foreign key has the type of its target. */
export function foundIdType(
  table: FoundTable,
  parts: Pick<FoundParts, "relations" | "isLarge">,
): string | null {
  if (table.id === null) return null;
  const own = parts.relations.find(({ column }) => column === table.id);
  if (own !== undefined) return foundIdType(own.to, parts);
  const { held } = table.id;
  if (held.type === "uuid") return "uuid";
  if (isTextId(held)) return "string";
  return parts.isLarge(table) ? "bigint" : null;
}

const usualIds: Readonly<Record<string, string>> = { uuid: "uuid", string: "varchar(255)", bigint: "bigint" };

/** Whether the database fills an id in. */
export function fillsItself({ source: { default: value, identity } }: HeldColumn): boolean {
  return value !== null || identity !== null;
}

function runtimeColumns(table: FoundTable, parts: FoundParts, isShared: boolean): JsonObject {
  const { id, view } = table;
  const type = foundIdType(table, parts) ?? "bigint";
  const isSent = (column: HeldColumn) => !view && type === "bigint" && !fillsItself(column);
  const idColumn =
    id === null
      ? null
      : isShared
        ? stored("id", id, {})
        : stored("id", id, {
            db_type: id.held.column === usualIds[type] ? null : id.held.column,
            generated: isSent(id) ? false : null,
          });
  const entries = (["created_at", "updated_at"] as const).map((name): [string, Json | undefined] => {
    const column = table.columns.find(({ place }) => place === name);
    if (column === undefined) return [name, null];
    const { held, source } = column;
    return [
      name,
      stored(name, column, {
        db_type: held.column === "timestamptz(3)" ? null : held.column,
        nullable: source.nullable ? true : null,
        generated: isFilledIn(table, column, parts) ? true : null,
        out_of_range: parts.isOutOfRange(table, column) ? "null" : null,
      }),
    ];
  });
  const all: [string, Json | undefined][] = [["id", idColumn], ...entries];
  return Object.fromEntries(all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** Whether the database sets a time column: both for new rows and, if the column is `updated_at`, for changed ones. */
export function isFilledIn(
  table: FoundTable,
  column: HeldColumn,
  parts: Pick<FoundParts, "isFilled">,
): boolean {
  const { source, place } = column;
  if (source.generated) return true;
  const isSet = (source.default !== null && source.portable) || parts.isFilled(table, column, "insert");
  return isSet && (place === "created_at" || parts.isFilled(table, column, "update"));
}

/** A runtime column: undefined if it is as migrations make it, only its name if nothing else differs. */
function stored(name: string, { source }: HeldColumn, more: JsonObject): Json | undefined {
  const rest = Object.fromEntries(Object.entries(more).filter(([, value]) => value !== null));
  const isUsual = source.name === name;
  if (Object.keys(rest).length === 0) return isUsual ? undefined : source.name;
  return { ...(isUsual ? {} : { column: source.name }), ...rest };
}

interface FieldContext {
  readonly parts: FoundParts;
  readonly own: readonly FoundRelation[];
  readonly keys: readonly FoundKey[];
}

function fieldJson(table: FoundTable, column: HeldColumn, { parts, own, keys }: FieldContext): JsonObject {
  const { source, name, held } = column;
  const relation = own.find((one) => one.column === column);
  const isId = column === table.id;
  const single = (unique: boolean) =>
    keys.some((key) => isSingle(key, column, unique) && !isImplied(key, keys, own));
  const isGenerated = source.generated || (source.identity !== null && !isId);
  const isFilled = isGenerated || held.column === "tsvector";
  return withoutEmpty({
    description: source.comment,
    ...(relation === undefined ? typeJson(column) : relationJson(relation)),
    column: source.name === name ? null : source.name,
    required: isId || !source.nullable,
    generated: isGenerated,
    ...(isFilled || isId || table.view ? {} : defaultJson(column)),
    unique: single(true),
    index: single(false),
    out_of_range: relation === undefined && parts.isOutOfRange(table, column) ? "null" : null,
  });
}

function typeJson({ held }: HeldColumn): JsonObject {
  return { type: held.type, db_type: held.differs ? held.column : null, ...held.options };
}

function relationJson({ column, to, target, onDelete }: FoundRelation): JsonObject {
  const relationship = withoutEmpty({
    model: to.key,
    foreign_key: target.place === "id" ? null : target.name,
    on_delete: onDelete === "restrict" ? null : onDelete,
  });
  const differs = column.held.column !== target.held.column;
  return { type: "belongs_to", relationship, db_type: differs ? column.held.column : null };
}

function collectionJson({ from, column }: FoundRelation): readonly [string, JsonObject] {
  return [from.key, { type: "has_many", relationship: { model: from.key, foreign_key: column.name } }];
}

/** Types whose literal defaults mean the same in the models file as in the database. */
const withLiterals = ["string", "text", "integer", "bigint", "float", "decimal", "boolean", "uuid", "json"];

function defaultJson({ source, held }: HeldColumn): JsonObject {
  if (source.default === null) return {};
  const kind = kindOfType(held.type);
  const isPlain =
    withLiterals.includes(held.type) && !(held.type === "text" && held.differs && held.column !== "varchar");
  const { precision, scale = 0, enum: allowed } = held.options;
  const digits = typeof precision === "number" && typeof scale === "number" ? { precision, scale } : null;
  // A `numeric` without a size has no canonical literal.
  if (!isPlain || kind === null || (held.type === "decimal" && digits === null))
    return { default: { sql: true } };
  const value = literalDefault(source.default, {
    ...{ kind, minimum: null, maximum: null, minLength: null, pattern: null, items: null },
    enum: Array.isArray(allowed) ? allowed.map(String) : null,
    maxLength: typeof held.options["max_length"] === "number" ? held.options["max_length"] : null,
    decimal: digits,
  });
  return value === undefined ? { default: { sql: true } } : value === null ? {} : { default: value };
}

/** Everything is closed, or all operations are open to one role. Create is closed where a required column has no field. */
function accessJson(table: FoundTable, open: string | null): JsonObject {
  if (open === null) return {};
  const all = { $all: [{ role: open }] };
  return isReadOnly(table) || !lacksRequired(table) ? all : { ...all, create: [], upsert: [] };
}

/** Whether a required column without a default has no field, so that no row can be created. */
export function lacksRequired({ left }: FoundTable): boolean {
  return left.some((column) => !column.nullable && column.default === null && column.identity === null);
}

function isSingle({ unique, columns }: FoundKey, column: HeldColumn, wanted: boolean): boolean {
  return unique === wanted && columns.length === 1 && columns[0] === column;
}

/** The entries of `unique` or `indexes` of the model: several columns, or one that is not a field. */
function isList({ unique, columns }: FoundKey, wanted: boolean): boolean {
  return unique === wanted && (columns.length > 1 || columns.some(({ place }) => place !== "field"));
}

function namesOf({ columns }: FoundKey): string[] {
  return columns.map(({ place, name }) => (place === "id" ? "id" : name));
}

const kept: ReadonlySet<string> = new Set(["default", "access", "fields", "generated"]);

/** Removes entries without effect: null, false, empty lists, objects and texts. */
function withoutEmpty(entries: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(entries).filter(([key, value]) => {
      if (value === null) return false;
      if (kept.has(key)) return key !== "generated" || value === true;
      if (typeof value === "string") return value.trim() !== "";
      return typeof value === "object" ? Object.keys(value).length > 0 : value !== false;
    }),
  );
}
