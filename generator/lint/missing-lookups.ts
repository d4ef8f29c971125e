import {
  type Expression,
  findColumn,
  findRows,
  type Place,
  type Standpoint,
  type Term,
  within,
} from "../conditions/index.ts";
import type { ModelDefinition } from "../definition/definition.ts";
import { hasPair, leadingFields } from "./index-lines.ts";

/** An index that EXISTS has no use of, since it is not there: below one row it looks for one among many. */
export interface MissingLookup {
  readonly at: Place;
  readonly model: string;
  /** The foreign key to the row above. */
  readonly key: string;
  readonly column: string;
}

type Exists = Extract<Expression, { kind: "exists" }>;

/** EXISTS of a condition that read all rows below one, since no index has its comparisons too. */
export function missingLookups(
  expression: Expression,
  from: Standpoint,
  definitions: ReadonlyMap<string, ModelDefinition>,
): MissingLookup[] {
  switch (expression.kind) {
    case "and":
    case "or":
      return expression.items.flatMap((item) => missingLookups(item, from, definitions));
    case "not":
      return missingLookups(expression.item, from, definitions);
    case "exists":
      return below(expression, from, definitions);
    default:
      return [];
  }
}

function below({ path, where }: Exists, from: Standpoint, definitions: ReadonlyMap<string, ModelDefinition>) {
  const found = findRows(path, from);
  if (where === null || "message" in found) return [];
  const inside = within(path, found.end, from);
  const further = missingLookups(where, inside, definitions);
  const definition = definitions.get(found.end.model);
  const last = found.relations.at(-1);
  if (definition === undefined || last === undefined || last.kind === "belongs_to") return further;
  const columns = comparedColumns(where, inside);
  const [first] = columns;
  if (first === undefined || isServed(definition, last.references, columns)) return further;
  const { at, column } = first;
  return [{ at, column, model: definition.key, key: last.references }, ...further];
}

/** Whether an index finds the row: by a column, by one beside the foreign key, or since there is one row alone. */
function isServed(
  definition: ModelDefinition,
  key: string,
  columns: readonly { readonly column: string }[],
): boolean {
  const leading = leadingFields(definition);
  const isOnly = definition.uniqueKeys.some(({ fields }) => fields.length === 1 && fields[0] === key);
  return isOnly || columns.some(({ column }) => leading.has(column) || hasPair(definition, key, column));
}

/** Columns of the row itself that must equal something that is not the same for all callers and rows. */
function comparedColumns(where: Expression, from: Standpoint): { at: Place; column: string }[] {
  if (where.kind === "and") return where.items.flatMap((item) => comparedColumns(item, from));
  if (where.kind !== "compare" || where.symbol !== "=") return [];
  const sides: readonly (readonly [Term, Term])[] = [
    [where.left, where.right],
    [where.right, where.left],
  ];
  return sides.flatMap(([term, other]) => {
    if (term.kind !== "field" || other.kind === "value") return [];
    const found = findColumn(term.name, from);
    if ("message" in found || found.fromItself || found.relations.length > 0) return [];
    return found.column.kind === "boolean" ? [] : [{ at: term.at, column: term.name }];
  });
}
