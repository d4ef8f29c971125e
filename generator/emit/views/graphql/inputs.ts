import type { ModelDefinition } from "../../../definition/definition.ts";
import { graphqlTypes } from "../../../definition/graphql-names.ts";
import { type Column, writableColumns } from "./columns.ts";
import { description, stringValue } from "./description.ts";
import { filtersOf, type TypedName } from "./lists.ts";

/** The mutations of a model and their inputs. A list that is null stands for an operation that nobody may run. */
export interface MutationsView {
  readonly key: string;
  readonly typeName: string;
  readonly id: string;
  readonly where: readonly TypedName[] | null;
  readonly create: readonly InputField[] | null;
  readonly update: readonly TypedName[] | null;
  readonly upsert: readonly TypedName[] | null;
  /** Beside `deleted_at`. */
  readonly restore: readonly TypedName[] | null;
  readonly deletes: boolean;
  readonly destroys: boolean;
  readonly softDelete: boolean;
}

interface InputField extends TypedName {
  readonly doc: string | null;
}

/** The view of a model's mutations. */
export function mutationsView(model: ModelDefinition): MutationsView {
  const { operations, upsert } = model.access;
  const columns = writableColumns(model);
  const id = graphqlTypes[model.idType === "uuid" ? "uuid" : "bigint"].value;
  const filters = filtersOf(model);
  const changes = columns.map(({ name, type }) => ({ name, type }));
  const whole = columns.map((column) => ({ name: column.name, type: sentType(model, column) }));
  const creates = columns.map((column, index) => ({
    name: column.name,
    type: `${whole[index]?.type}${defaultText(column)}`,
    doc: description(column.description, "  "),
  }));
  const own = model.idType === "uuid" ? [{ name: "id", type: id, doc: null }] : [];
  const opened = <Field>(open: boolean, fields: readonly Field[]) =>
    open && fields.length > 0 ? fields : null;
  const narrowed = filters.length > 0;
  return {
    key: model.key,
    typeName: model.typeName,
    id,
    where: opened(true, filters),
    create: opened(operations.create.length > 0, [...own, ...creates]),
    update: opened(operations.update.length > 0 && narrowed, changes),
    upsert: opened(upsert.insert.length + upsert.update.length > 0, [{ name: "id", type: id }, ...whole]),
    restore: operations.restore.length > 0 && narrowed ? changes : null,
    deletes: operations.delete.length > 0,
    destroys: operations.destroy.length > 0,
    softDelete: model.softDelete,
  };
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
  return ` = ${type === graphqlTypes[kind].value ? stringValue(value) : value}`;
}
