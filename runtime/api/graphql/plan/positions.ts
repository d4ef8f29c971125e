import { Kind, type ValueNode } from "graphql";
import { elementKindOf, type FieldKind, fieldKinds } from "../../../../vocabulary/fields/field-kinds.ts";
import { enumFilter, fieldEnumType, inputTypes, sharedTypes } from "../../../../vocabulary/graphql/names.ts";
import type { Problem } from "../../../core/errors/index.ts";
import { columnsOf, type Model } from "../../../models/index.ts";
import type { Variables } from "../document/index.ts";

/** Which variables may stand at a place: those that are declared with one of these types, lists of them included. */
export interface Position {
  readonly types: readonly string[];
  /** Of the places inside an object; undefined for a name that the reader of the value refuses anyway. */
  readonly fields?: (name: string) => Position | undefined;
}

/** A place for one plain type. */
export function plainPosition(...types: readonly string[]): Position {
  return { types };
}

/** A place for the name of a field to order or group by: the schema's enum, or a text. */
export function namePosition(...types: readonly string[]): Position {
  return { types: [...types, "String"] };
}

/** The place of a filter on a column: the filter type, a plain value, or an object of operators. */
export function columnPosition(model: Model, name: string): Position | undefined {
  const value = valuePosition(model, name);
  const column = columnsOf(model).get(name);
  if (value === undefined || column === undefined) return undefined;
  const { filter } = fieldKinds[column.kind].graphql;
  return {
    types: [
      ...value.types,
      ...(filter === null ? [] : [filter]),
      ...(column.enum === null || elementKindOf(column.kind) !== null ? [] : [enumFilter]),
    ],
    fields: (operator) => (operator === "is_null" ? plainPosition("Boolean") : value),
  };
}

/** The place of a filter object: `where` of mutations. */
export function wherePosition(model: Model): Position {
  return { types: [inputTypes(model).where], fields: (name) => columnPosition(model, name) };
}

/** The place of a record: `input` of the mutations that take one. */
export function recordPosition(model: Model, verb: "create" | "update" | "upsert" | "restore"): Position {
  const types = { ...inputTypes(model), ...sharedTypes(model) };
  return { types: [types[verb]], fields: (name) => valuePosition(model, name) };
}

/** The place of ids: `ids` of mutations. */
export function idPosition(model: Model): Position {
  return { types: plainTypes(model.id) };
}

function valuePosition(model: Model, name: string): Position | undefined {
  const column = columnsOf(model).get(name);
  if (column === undefined) return undefined;
  const plain = plainTypes(column.kind);
  return { types: column.enum === null ? plain : [...plain, fieldEnumType(model.typeName, name)] };
}

/** The types of variables that may stand for values of a kind, of a list for its elements. The first one is the schema's own. */
function plainTypes(kind: FieldKind): readonly string[] {
  const { value, alike } = fieldKinds[elementKindOf(kind) ?? kind].graphql;
  return [value, ...alike];
}

/** Reports variables that are declared with a type which does not fit where they stand. */
export function requirePositions(
  node: ValueNode,
  position: Position | undefined,
  variables: Variables,
  problems: Problem[],
): void {
  if (position === undefined) return;
  switch (node.kind) {
    case Kind.VARIABLE: {
      const declared = variables.typeOf(node.name.value);
      if (!position.types.includes(declared))
        problems.push({
          field: node.name.value,
          message: `is declared as ${declared}, which does not fit its place`,
        });
      return;
    }
    case Kind.LIST:
      for (const item of node.values) requirePositions(item, position, variables, problems);
      return;
    case Kind.OBJECT:
      for (const { name, value } of node.fields)
        requirePositions(value, position.fields?.(name.value), variables, problems);
  }
}
