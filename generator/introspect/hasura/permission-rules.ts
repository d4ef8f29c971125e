import type { Json } from "../../../vocabulary/json.ts";
import { lacksRequired } from "../as-found/found-model-json.ts";
import { type FoundTable, type HeldColumn, isReadOnly } from "../as-found/found-table.ts";
import { type ConditionTable, hasValue, type RowText, rowCondition, Unsayable } from "./bool-exp.ts";
import type { HasuraOperation, HasuraPermission } from "./hasura-metadata.ts";
import { type MetadataNode, nodeAt, nodeEntries, nodeNumber, nodeText, nodeTexts } from "./metadata-node.ts";

/** A part of a model as the models file has it. */
export type ModelPart = { readonly [key: string]: Json };

/** A value that is an object, or an empty one. */
export function modelPart(value: Json | undefined): ModelPart {
  const isPart = (one: Json | undefined): one is ModelPart =>
    typeof one === "object" && one !== null && !Array.isArray(one);
  return isPart(value) ? value : {};
}

/** A table with its model, and what conditions know about both. */
export interface RuledTable {
  readonly table: FoundTable;
  readonly model: ModelPart;
  readonly scope: ConditionTable;
  /** Why a condition does not fit the model, or null. */
  readonly problem: (condition: string) => string | null;
}

/** What a permission becomes. */
export interface RuleDraft {
  readonly permission: HasuraPermission;
  readonly operation: "fetch" | "create" | "update" | "delete";
  /** The conditions that all have to hold. */
  readonly parts: readonly RowText[];
  /** The fields that a caller can send; null for all. */
  readonly fields: readonly string[] | null;
  /** What is less than in Hasura. */
  readonly notes: readonly string[];
}

/** The keys that a rule says. Any other key closes the operation. */
const knownKeys: Readonly<Record<HasuraOperation, readonly string[]>> = {
  // biome-ignore format: many a line
  select: ["columns", "filter", "limit", "allow_aggregations", "computed_fields", "subscription_root_fields"],
  insert: ["columns", "check", "set"],
  update: ["columns", "filter", "check", "set"],
  delete: ["filter"],
};

/** The rule of a permission. Throws `Unsayable` if no rule can say it. */
export function draftRule(permission: HasuraPermission, ruled: RuledTable): RuleDraft {
  const { operation, node } = permission;
  for (const [key, { value }] of nodeEntries(node))
    if (!knownKeys[operation].includes(key) && value !== false && value !== null)
      throw new Unsayable(`${key} has no counterpart`);
  if (operation !== "select" && isReadOnly(ruled.table))
    throw new Unsayable("its rows have no id, so the model can only be read");
  const draft = { permission, fields: null, notes: [] };
  const filter = operation === "insert" ? [] : condition(node, "filter", ruled);
  if (operation === "delete") return { ...draft, operation, parts: filter };
  if (operation === "insert") return { ...draft, ...createRule(node, ruled) };
  if (operation === "update") return { ...draft, ...updateRule(node, filter, ruled) };
  if (nodeNumber(node, "limit") === 0) throw new Unsayable("its limit is 0");
  const computed = nodeTexts(node, "computed_fields").map((name) => `the computed field ${name} is left out`);
  return { ...draft, operation: "fetch", parts: filter, notes: computed };
}

function condition(node: MetadataNode, key: string, { scope }: RuledTable): RowText[] {
  const found = nodeAt(node, key);
  if (found === undefined) throw new Unsayable(`it has no ${key}`);
  return [rowCondition(found, scope) ?? []].flat();
}

type Rule = Pick<RuleDraft, "operation" | "parts" | "fields" | "notes">;

/** A value that an insert sets is a condition, so that callers can send no other one. */
function createRule(node: MetadataNode, ruled: RuledTable): Rule {
  const { table, model, scope } = ruled;
  if (lacksRequired(table)) throw new Unsayable("a required column has no field, so no row can be created");
  const sets = setValues(node).filter(([name, { value }]) => timeSet(table, name, value) === null);
  const parts = condition(node, "check", ruled);
  const sent: string[] = [];
  for (const [name, set] of sets) {
    const column = table.columns.find(({ source }) => source.name === name);
    const compared = scope.column(name);
    if (
      column === undefined ||
      compared === null ||
      !(isSent(column, ruled) || (column.place === "id" && model["id_type"] === "uuid"))
    )
      throw new Unsayable(`it sets ${name}, which callers cannot send`);
    if (/^now\(\)$/i.test(String(set.value)))
      throw new Unsayable(`it sets ${name} to the time: give the field the preset now(), and open create`);
    parts.push(hasValue(compared, set, scope));
    if (set.value !== null && isSent(column, ruled)) sent.push(column.name);
  }
  const own = `callers send ${sent.join(", ")} themselves, and only with the values that Hasura sets`;
  const notes = [...(sent.length === 0 ? [] : [own]), ...idNotes(node, ruled)];
  return { operation: "create", parts, fields: sentFields(node, sent, ruled), notes };
}

/** A remark if callers can choose an id that only the database chose. Throws if they have to, or could pass for another caller. */
function idNotes(node: MetadataNode, ruled: RuledTable): string[] {
  const { model, scope } = ruled;
  const { id } = ruled.table;
  const isListed = (name: string) => ["*", name].some((one) => nodeTexts(node, "columns").includes(one));
  const { id_type: type, columns } = model;
  if (id === null || isSent(id, ruled) || isListed(id.source.name) || nodeAt(node, "set", id.source.name))
    return [];
  if (type === "string" || modelPart(modelPart(columns)["id"])["generated"] === false)
    throw new Unsayable("callers would have to send the id of a new row, which is not among its columns");
  if (type !== "uuid") return [];
  if (scope.isCaller)
    throw new Unsayable("callers can choose the id of a new row, and rules compare it with the caller's");
  return ["callers can choose the id of a new row, a UUID"];
}

function updateRule(node: MetadataNode, filter: readonly RowText[], ruled: RuledTable): Rule {
  for (const [name, set] of setValues(node))
    if (timeSet(ruled.table, name, set.value) !== "updated_at")
      throw new Unsayable(`it sets ${name}: set it in the hook before_update`);
  const isChecked = (nodeAt(node, "check")?.value ?? null) !== null;
  const parts = [...filter, ...(isChecked ? condition(node, "check", ruled) : [])];
  return { operation: "update", parts, fields: sentFields(node, [], ruled), notes: [] };
}

function setValues(node: MetadataNode): [string, MetadataNode][] {
  const value = nodeAt(node, "set")?.value ?? null;
  if (value !== null && !(value instanceof Map)) throw new Unsayable("its set is not a map");
  return [...nodeEntries(nodeAt(node, "set"))];
}

/** The column that a set of `now()` means, if the server sets this time anyway. */
function timeSet({ columns }: FoundTable, name: string, value: unknown): HeldColumn["place"] | null {
  const place = columns.find(({ source }) => source.name === name)?.place;
  const isServers = place === "created_at" || place === "updated_at";
  return isServers && /^now\(\)$/i.test(String(value)) ? place : null;
}

/** The fields that a caller can send; null for all. Throws if none is left. */
function sentFields(node: MetadataNode, more: readonly string[], ruled: RuledTable): Rule["fields"] {
  const sets = setValues(node).map(([name]) => name);
  const names = nodeTexts(node, "columns");
  if (nodeText(node, "columns") === "*" && sets.length === 0) return null;
  const open = writable(ruled).filter(
    ({ source: { name } }) => !sets.includes(name) && (names.includes("*") || names.includes(name)),
  );
  const fields = [...new Set([...open.map(({ name }) => name), ...more])];
  if (fields.length === 0) throw new Unsayable("its callers send no field, and a write needs one");
  return fields;
}

function writable(ruled: RuledTable): HeldColumn[] {
  return ruled.table.columns.filter((column) => isSent(column, ruled));
}

/** Whether callers can send a column as a field. */
function isSent({ name }: HeldColumn, { model }: RuledTable): boolean {
  const { type, generated, db_type: stored } = modelPart(modelPart(model["fields"])[name]);
  return type !== undefined && generated !== true && stored !== "tsvector";
}
