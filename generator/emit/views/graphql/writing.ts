import type { ModelDefinition } from "../../../definition/definition.ts";
import { fieldKinds } from "../../../definition/field-kinds.ts";
import { type Column, writableColumns } from "./columns.ts";
import { description, stringValue } from "./description.ts";
import { filtersOf, type TypedName } from "./lists.ts";

/** The mutations of a model and their inputs. A list that is null stands for an operation that nobody may run. */
export interface WritingView {
  readonly key: string;
  readonly typeName: string;
  /** Arguments that say which rows to remove. */
  readonly removal: string;
  readonly where: readonly TypedName[] | null;
  readonly create: readonly (TypedName & { readonly doc: string | null })[] | null;
  readonly update: readonly TypedName[] | null;
  readonly upsert: readonly TypedName[] | null;
  readonly restore: boolean;
  /** What an update and a restore may set. */
  readonly changes: readonly TypedName[];
  /** `delete` marks rows. */
  readonly marks: boolean;
  /** `delete` removes rows. */
  readonly deletes: boolean;
  readonly destroys: boolean;
}

/** The view of a model's mutations; null where there are none. */
export function writingView(model: ModelDefinition): WritingView | null {
  const { softDelete, typeName, access } = model;
  const { operations, upsert } = access;
  const columns = writableColumns(model);
  const id = fieldKinds[model.idType === "uuid" ? "uuid" : "bigint"].graphql.value;
  const [where, changes] = [filtersOf(model), columns.map(({ name, type }) => ({ name, type }))];
  const view: WritingView = {
    key: model.key,
    typeName,
    removal: `ids: [${id}!]${where.length > 0 ? `, where: ${typeName}Where` : ""}`,
    where: opened(choosesRows(model), where),
    create: opened(operations.create.length > 0, createFields(model, columns, id)),
    update: opened(operations.update.length > 0 && where.length > 0, changes),
    upsert: opened(upsert.insert.length + upsert.update.length > 0, upsertFields(model, columns, id)),
    restore: operations.restore.length > 0 && where.length > 0,
    changes,
    marks: operations.delete.length > 0 && softDelete,
    deletes: operations.delete.length > 0 && !softDelete,
    destroys: operations.destroy.length > 0,
  };
  return isOpen(view) ? view : null;
}

/** Whether somebody may run an operation that is told which rows. */
function choosesRows({ access: { operations } }: ModelDefinition): boolean {
  const { update, delete: remove, destroy, restore } = operations;
  return [update, remove, destroy, restore].some((rules) => rules.length > 0);
}

function opened<Field>(open: boolean, fields: readonly Field[]): readonly Field[] | null {
  return open && fields.length > 0 ? fields : null;
}

function isOpen({ create, update, upsert, ...others }: WritingView): boolean {
  const { restore, marks, deletes, destroys } = others;
  return (
    [create, update, upsert].some((fields) => fields !== null) || restore || marks || deletes || destroys
  );
}

/** Rows of a uuid model may bring their id. */
function createFields(model: ModelDefinition, columns: readonly Column[], id: string) {
  const own = model.idType === "uuid" ? [{ name: "id", type: id, doc: null }] : [];
  const fields = columns.map((column) => ({
    name: column.name,
    type: `${sentType(model, column)}${defaultText(column)}`,
    doc: description(column.description, "  "),
  }));
  return [...own, ...fields];
}

function upsertFields(model: ModelDefinition, columns: readonly Column[], id: string): TypedName[] {
  const fields = columns.map((column) => ({ name: column.name, type: sentType(model, column) }));
  return [{ name: "id", type: id }, ...fields];
}

/** A hook may fill in what is required. */
function sentType({ hooks }: ModelDefinition, { type, field }: Column): string {
  return field?.required === true && hooks === null ? `${type}!` : type;
}

/** What a create without the field stores. Objects of JSON may have keys that GraphQL cannot print. */
function defaultText({ type, kind, field }: Column): string {
  const value = field?.default;
  if (value === undefined || kind === "json") return "";
  if (typeof value !== "string") return ` = ${JSON.stringify(value)}`;
  return ` = ${type === fieldKinds[kind].graphql.value ? stringValue(value) : value}`;
}
