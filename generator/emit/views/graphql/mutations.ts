import { coversRole } from "../../../../vocabulary/accounts/role-names.ts";
import type { Condition } from "../../../../vocabulary/conditions/conditions.ts";
import { fieldKinds } from "../../../../vocabulary/fields/field-kinds.ts";
import { presetText } from "../../../../vocabulary/fields/presets.ts";
import { inputTypes, sharedTypes, writtenType } from "../../../../vocabulary/graphql/names.ts";
import { creatingOperations } from "../../../../vocabulary/hook-names.ts";
import type { Json } from "../../../../vocabulary/json.ts";
import type { ModelDefinition } from "../../../definition/definition.ts";
import { idKinds, keyField } from "../../../definition/stored.ts";
import { graphqlDescription } from "../../literal.ts";
import { filtersOf, type TypedName } from "./queries.ts";
import { type SchemaColumn, writableColumns } from "./schema-columns.ts";

interface Described extends TypedName {
  readonly doc: string | null;
}

/** The mutations of a model and their inputs. A null list stands for an operation that is open to no one. */
export interface MutationsView {
  readonly key: string;
  /** The type of the rows that mutations other than `create` answer. */
  readonly answer: string;
  /** The part of the model in the names of its mutations. */
  readonly typeName: string;
  readonly types: ReturnType<typeof typesOf>;
  /** Arguments of a create, in parentheses; empty if the input would have no field. */
  readonly creation: string;
  /** Arguments that select the rows to remove. */
  readonly removal: string;
  /** Whether a mutation has filters. */
  readonly filtered: boolean;
  readonly create: boolean;
  readonly upsert: boolean;
  /** Input fields of a create and an upsert. */
  readonly record: readonly Described[] | null;
  readonly update: boolean;
  readonly restore: boolean;
  /** Input fields of an update and a restore. */
  readonly changes: readonly Described[] | null;
  /** Whether `delete` only marks rows. */
  readonly marks: boolean;
  /** Whether `delete` removes rows. */
  readonly deletes: boolean;
  readonly destroys: boolean;
}

/** The view of a model's mutations; null if there are none. */
export function mutationsView(model: ModelDefinition): MutationsView | null {
  const { softDelete, typeName } = model;
  const { operations } = model.access;
  const [where, columns, types] = [filtersOf(model), writableColumns(model), typesOf(model)];
  const [record, changes] = [recordFields(model, columns), changedFields(model, columns)];
  if (model.readOnly) return null;
  const hasInput = columns.length > 0 || takesId(model);
  const creates = operations.create.length > 0 && (hasInput || mayBeEmpty(model));
  const updates = operations.update.length > 0 && where.length > 0 && changeable(model, columns).length > 0;
  const restores = operations.restore.length > 0 && where.length > 0;
  const view: MutationsView = {
    key: model.key,
    answer: hidesRows(model) ? writtenType(model) : model.key,
    typeName,
    types,
    creation: hasInput ? `(input: ${types.create}!)` : "",
    removal: `ids: [${idType(model)}!]${where.length > 0 ? `, where: ${types.where}` : ""}`,
    filtered: choosesRows(model) && where.length > 0,
    create: creates,
    upsert: upserts(model) && record.length > 0,
    record: opened(creates || upserts(model), record),
    update: updates,
    restore: restores,
    changes: opened(updates || restores, changes),
    marks: operations.delete.length > 0 && softDelete,
    deletes: operations.delete.length > 0 && !softDelete,
    destroys: operations.destroy.length > 0,
  };
  return isOpen(view) ? view : null;
}

/** Whether a role writes rows that it perhaps cannot fetch. The answers of its mutations have only their ids. */
export function hidesRows({ internal, access: { operations, upsert } }: ModelDefinition): boolean {
  if (internal) return false;
  const { fetch, update, delete: remove, destroy, restore } = operations;
  return [update, upsert.insert, upsert.update, remove, destroy, restore]
    .flat()
    .some(
      (rule) =>
        !fetch.some((other) => coversRole(other.role, rule.role) && demands(rule.condition, other.condition)),
    );
}

/** Whether a condition has all parts of one alternative of another one. */
function demands(condition: Condition | null, other: Condition | null): boolean {
  const known = new Set(partsOf(condition));
  const alternatives = other?.op === "or" ? other.conditions : [other];
  return alternatives.some((each) => partsOf(each).every((part) => known.has(part)));
}

/** The parts of a condition between its outermost ANDs. */
function partsOf(condition: Condition | null): string[] {
  if (condition === null) return [];
  return (condition.op === "and" ? condition.conditions : [condition]).map((part) => JSON.stringify(part));
}

/** Whether a create can have an empty body: there is no field, or the server sets one. */
function mayBeEmpty({ fields }: ModelDefinition): boolean {
  return fields.length === 0 || fields.some(({ preset }) => preset !== undefined);
}

/** The input types of mutations. */
function typesOf(model: ModelDefinition) {
  return { ...inputTypes(model), ...sharedTypes(model) };
}

/** Whether an operation that selects rows is open to a role. */
function choosesRows({ access: { operations } }: ModelDefinition): boolean {
  const { update, delete: remove, destroy, restore } = operations;
  return [update, remove, destroy, restore].some((rules) => rules.length > 0);
}

function opened<Field>(open: boolean, fields: readonly Field[]): readonly Field[] | null {
  return open && fields.length > 0 ? fields : null;
}

function isOpen({ create, update, upsert, restore, marks, deletes, destroys }: MutationsView): boolean {
  return create || update || upsert || restore || marks || deletes || destroys;
}

function upserts({ access: { upsert } }: ModelDefinition): boolean {
  return upsert.insert.length + upsert.update.length > 0;
}

function idType({ idType: type }: ModelDefinition): string {
  return fieldKinds[idKinds[type]].graphql.value;
}

/** Whether a create can have an id. */
function takesId({ idType: type, idSent }: ModelDefinition): boolean {
  return idSent || type === "uuid";
}

/** Input fields of a create and an upsert. For models with UUIDs, the id is one of them. */
function recordFields(model: ModelDefinition, columns: readonly SchemaColumn[]): Described[] {
  const type = idType(model);
  const own = { name: "id", type: model.idSent ? `${type}!` : type, doc: null };
  const named = { name: "id", type, doc: '"Of the row to change: only in an upsert."' };
  const id = takesId(model) ? [own] : upserts(model) && keyField(model) === null ? [named] : [];
  const fields = columns.map((column) => ({
    name: column.name,
    type: sentType(model, column),
    doc: graphqlDescription(recordText(column), "  "),
  }));
  return [...id, ...fields];
}

/** The fields that writes to existing rows can change: not one that has the column of the id. */
function changeable(model: ModelDefinition, columns: readonly SchemaColumn[]): readonly SchemaColumn[] {
  const key = keyField(model);
  return columns.filter(({ field }) => key === null || field !== key);
}

/** Input fields of an update and a restore. */
function changedFields(model: ModelDefinition, columns: readonly SchemaColumn[]): Described[] {
  const doc = '"Only `null`, and only in a restore: a row that is restored is not deleted."';
  const mark = { name: "deleted_at", type: fieldKinds.datetime.graphql.value, doc };
  const fields = changeable(model, columns).map(({ name, type }) => ({ name, type, doc: null }));
  return [...(model.access.operations.restore.length > 0 ? [mark] : []), ...fields];
}

/** Create and upsert share the input type, so a field is required only if both require it. */
function sentType(model: ModelDefinition, { name, type, field }: SchemaColumn): string {
  const open = creatingOperations.filter((operation) =>
    operation === "upsert" ? upserts(model) : model.access.operations.create.length > 0,
  );
  const mayLack = open.some((operation) => model.filled[operation]?.includes(name) ?? true);
  return field?.required === true && !mayLack ? `${type}!` : type;
}

/** The description with the default or preset in words. A GraphQL default would also apply to rows that an upsert changes. */
function recordText({ description: text, field, type, kind }: SchemaColumn): string | null {
  const value = field?.default;
  const hasNames = type !== fieldKinds[kind].graphql.value;
  const preset = field?.preset && presetText(field.preset.value);
  const given = value === undefined ? preset : defaultText(value, hasNames);
  if (given === undefined) return text;
  const place = field?.preset?.on === "write" ? "each write" : "a new row";
  const note = `\`${given}\` in ${place}, unless it is sent.`;
  const said = text?.trim() ?? "";
  if (said === "" || said.includes("\n")) return said === "" ? note : `${said}\n${note}`;
  return `${said}${/[.!?]$/.test(said) ? "" : "."} ${note}`;
}

/** A default in GraphQL syntax, in which enum values are names. */
function defaultText(value: Json, hasNames: boolean): string {
  if (hasNames && Array.isArray(value)) return `[${value.join(", ")}]`;
  return hasNames && typeof value === "string" ? value : JSON.stringify(value);
}
