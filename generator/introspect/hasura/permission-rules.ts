import type { Json } from "../../../vocabulary/json.ts";
import { lacksRequired } from "../as-found/found-model-json.ts";
import { type FoundTable, type HeldColumn, isReadOnly } from "../as-found/found-table.ts";
import { type ConditionTable, type FilteredRows, type WantedRows, rowFilter, Unsayable } from "./bool-exp.ts";
import type { HasuraOperation, HasuraPermission } from "./hasura-metadata.ts";
import {
  nodeEntries,
  nodeEntry,
  nodeItems,
  type MetadataNode,
  nodeText,
  nodeTexts,
} from "./metadata-node.ts";
import {
  keepsValue,
  type ModelPart,
  modelPart,
  type TablePreset,
  presetValue,
  setsTime,
} from "./presets-of-table.ts";

/** A table with its model, and what conditions know about both. */
export interface RuledTable {
  readonly table: FoundTable;
  readonly model: ModelPart;
  readonly scope: ConditionTable;
  /** By column. */
  readonly presets: ReadonlyMap<string, TablePreset>;
  /** Why a condition does not fit the model, or null. */
  readonly problem: (condition: string) => string | null;
  /** The models whose ids are compared with the caller. */
  readonly callerIds: Set<string>;
}

/** What a permission becomes. */
export interface RuleDraft {
  readonly permission: HasuraPermission;
  readonly operation: "fetch" | "create" | "update" | "delete";
  /** The conditions that all have to hold. */
  readonly parts: readonly WantedRows[];
  /** The fields that a caller can send; null for all. */
  readonly fields: readonly string[] | null;
  /** Consequences that narrow it. */
  readonly notes: readonly string[];
}

/** The keys of a permission, by whether a rule says them. Any other key closes the operation. */
const knownKeys: Readonly<Record<HasuraOperation, readonly string[]>> = {
  // biome-ignore format: many a line
  select: ["columns", "filter", "limit", "allow_aggregations", "computed_fields", "query_root_fields", "subscription_root_fields"],
  insert: ["columns", "check", "set", "backend_only"],
  update: ["columns", "filter", "check", "set", "backend_only"],
  delete: ["filter", "backend_only"],
};

/** The rule of a permission. Throws `Unsayable` if no rule can say it. */
export function draftRule(permission: HasuraPermission, ruled: RuledTable): RuleDraft {
  const { operation, node } = permission;
  for (const [key, value] of nodeEntries(node)) {
    if (!knownKeys[operation].includes(key)) throw new Unsayable(`${key} has no counterpart`);
    if (key === "backend_only" && value.value !== false)
      throw new Unsayable("backend_only: use context.db in a route of your own");
  }
  if (operation !== "select" && isReadOnly(ruled.table))
    throw new Unsayable("its rows have no id, so the model can only be read");
  const draft = { permission, notes: [], fields: null };
  if (operation === "select") return { ...draft, ...fetchRule(node, ruled) };
  const filter = operation === "insert" ? null : filterOf(node, "filter", ruled);
  if (operation === "delete") return { ...draft, operation, parts: [filter?.rows ?? "none"] };
  return { ...draft, ...(filter === null ? createRule(node, ruled) : updateRule(node, filter, ruled)) };
}

function filterOf(node: MetadataNode, key: string, { scope, callerIds }: RuledTable): FilteredRows {
  const filter = nodeEntry(node, key);
  if (filter === undefined) throw new Unsayable(`it has no ${key}`);
  return rowFilter(filter, scope, callerIds);
}

type Rule = Pick<RuleDraft, "operation" | "parts"> & Partial<RuleDraft>;

function fetchRule(node: MetadataNode, ruled: RuledTable): Rule {
  const roots = nodeEntry(node, "query_root_fields");
  if (roots !== undefined && roots.value !== null && !nodeTexts(roots).includes("select"))
    throw new Unsayable("query_root_fields: rules cannot open rows to joins only");
  if (limitOf(node) === 0) throw new Unsayable("limit is 0");
  const computed = nodeTexts(nodeEntry(node, "computed_fields"));
  const columns = nodeEntry(node, "columns");
  const notes = [
    ...(computed.length === 0 ? [] : [`without the computed fields ${computed.join(", ")}`]),
    ...(nodeText(columns) === "*"
      ? []
      : lostNotes(
          nodeItems(columns).flatMap((item) => nodeText(item) ?? []),
          ruled,
        )),
  ];
  return { operation: "fetch", parts: [filterOf(node, "filter", ruled).rows], notes };
}

/** Columns that no field holds. */
function lostNotes(names: readonly string[], { table }: RuledTable): string[] {
  const lost = names.filter((name) => !table.columns.some(({ source }) => source.name === name));
  return lost.length === 0 ? [] : [`without the columns ${lost.join(", ")}: no field holds them`];
}

/** The limit of a select permission; null for none. */
export function limitOf(node: MetadataNode): number | null {
  const limit = nodeEntry(node, "limit")?.value;
  return typeof limit === "object" && limit !== null && "digits" in limit ? Number(limit.digits) : null;
}

/** Whether a select permission opens aggregates. */
export function opensAggregates(node: MetadataNode): boolean {
  const roots = nodeEntry(node, "query_root_fields");
  const isRoot = roots === undefined || roots.value === null || nodeTexts(roots).includes("select_aggregate");
  return nodeEntry(node, "allow_aggregations")?.value === true && isRoot;
}

function createRule(node: MetadataNode, ruled: RuledTable): Rule {
  const { table, model, presets } = ruled;
  if (lacksRequired(table)) throw new Unsayable("a required column has no field, so no row can be created");
  const sets = nodeEntries(nodeEntry(node, "set"));
  const parts = [filterOf(node, "check", ruled).rows];
  const sent: string[] = [];
  const notes: string[] = [];
  for (const [name, value] of sets) {
    const column = heldColumn(table, name);
    if (setsTime(column, value, ["created_at", "updated_at"])) continue;
    if (column.place !== "field" && !isField(column, ruled) && model["id_type"] !== "uuid")
      throw new Unsayable(`it sets ${name}, which the server sets`);
    if (presets.get(name)?.value === presetValue(value) && presets.has(name)) continue;
    const isNull = value.value === null;
    if (!isNull && isDefault(fieldJson(column, ruled)["default"], value)) continue;
    const operand = isNull ? { ...value, value: true } : value;
    const wanted = new Map([[name, { ...value, value: new Map([[isNull ? "_is_null" : "_eq", operand]]) }]]);
    const { rows } = rowFilter({ ...value, value: wanted }, ruled.scope);
    parts.push(rows);
    if (isNull) continue;
    sent.push(...(isField(column, ruled) ? [column.name] : []));
    notes.push(`callers have to send ${column.name}${typeof rows === "string" ? "" : `: ${rows.text}`}`);
  }
  const { fields, notes: more } = sentFields(node, [...sets.keys()], sent, ruled);
  return { operation: "create", parts, fields, notes: [...notes, ...more, ...idNotes(node, sets, ruled)] };
}

function isDefault(stored: Json | undefined, { value }: MetadataNode): boolean {
  const set = typeof value === "object" && value !== null && "digits" in value ? value.digits : value;
  return typeof stored !== "object" && stored !== undefined && String(stored) === String(set);
}

/** A remark if callers can choose an id that only the database chose. Throws if they would have to, or could pass for another caller. */
function idNotes(node: MetadataNode, sets: ReadonlyMap<string, unknown>, ruled: RuledTable): string[] {
  const { id } = ruled.table;
  const names = nodeEntry(node, "columns");
  const { id_type: type, columns } = ruled.model;
  if (id === null || isField(id, ruled) || nodeText(names) === "*" || sets.has(id.source.name)) return [];
  if (nodeTexts(names).includes(id.source.name)) return [];
  if (type === "string" || modelPart(modelPart(columns)["id"])["generated"] === false)
    throw new Unsayable("callers would have to send the id of a new row, which is not among its columns");
  if (type !== "uuid") return [];
  if (ruled.callerIds.has(ruled.scope.key))
    throw new Unsayable("callers can choose the id of a new row, and rules compare it with the caller's");
  return ["callers can choose the id of a new row, a UUID"];
}

function updateRule(node: MetadataNode, filter: FilteredRows, ruled: RuledTable): Rule {
  const { table, presets, scope } = ruled;
  const sets = nodeEntries(nodeEntry(node, "set"));
  for (const [name, value] of sets) {
    if (setsTime(heldColumn(table, name), value, ["updated_at"])) continue;
    const preset = presets.get(name);
    if (preset?.on === "write" && preset.value === presetValue(value)) continue;
    if (keepsValue(name, value, nodeEntry(node, "filter"))) continue;
    throw new Unsayable(
      `it sets ${name}, and a preset holds for every role: set it in the hook before_update`,
    );
  }
  const { fields, notes } = sentFields(node, [...sets.keys()], [], ruled);
  const check = nodeEntry(node, "check");
  const after = check === undefined || check.value === null ? null : rowFilter(check, scope, ruled.callerIds);
  const read = [...filter.columns, ...(after?.columns ?? [])].map((name) => heldColumn(table, name).name);
  const isSame = JSON.stringify(after?.rows) === JSON.stringify(filter.rows);
  const writes = read.filter((name) => fields === null || fields.includes(name));
  const narrower =
    isSame || writes.length === 0
      ? []
      : [`filter and check have to hold before and after the change of ${[...new Set(writes)].join(", ")}`];
  return {
    operation: "update",
    parts: [filter.rows, after?.rows ?? "all"],
    fields,
    notes: [...notes, ...narrower],
  };
}

/** The fields of the columns that a caller can send. Throws if none is left. */
function sentFields(
  node: MetadataNode,
  preset: readonly string[],
  more: readonly string[],
  ruled: RuledTable,
): { readonly fields: readonly string[] | null; readonly notes: readonly string[] } {
  const { table } = ruled;
  const names = nodeEntry(node, "columns");
  const isAll = nodeText(names) === "*";
  if (isAll && preset.length === 0) return { fields: null, notes: [] };
  const open = table.columns.filter((column) => {
    const { name } = column.source;
    return isSent(column, ruled) && !preset.includes(name) && (isAll || nodeTexts(names).includes(name));
  });
  const fields = [...new Set([...open.map(({ name }) => name), ...more])];
  if (fields.length === 0) throw new Unsayable("its callers send no field, and a write needs one");
  const server = table.columns.filter((column) => !isSent(column, ruled)).map(({ source }) => source.name);
  const closed = isAll
    ? []
    : server.filter((name) => nodeTexts(names).includes(name) && name !== table.id?.source.name);
  return {
    fields,
    notes: [
      ...(isAll ? [] : lostNotes(nodeTexts(names), ruled)),
      ...(closed.length === 0
        ? []
        : [`callers cannot send ${closed.join(", ")}: the server or the database sets them`]),
    ],
  };
}

/** The column of a name. Throws if no field holds it. */
function heldColumn({ columns }: FoundTable, name: string): HeldColumn {
  const column = columns.find(({ source }) => source.name === name);
  if (column === undefined) throw new Unsayable(`no field holds the column ${name}`);
  return column;
}

function fieldJson({ name }: HeldColumn, { model }: RuledTable): ModelPart {
  return modelPart(modelPart(model["fields"])[name]);
}

/** Whether a column is a field, also if it is the id too. */
function isField(column: HeldColumn, ruled: RuledTable): boolean {
  return fieldJson(column, ruled)["type"] !== undefined;
}

/** Whether callers can send a column. */
function isSent(column: HeldColumn, ruled: RuledTable): boolean {
  const { generated, db_type: type } = fieldJson(column, ruled);
  return isField(column, ruled) && generated !== true && type !== "tsvector";
}
