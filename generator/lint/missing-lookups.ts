import {
  type ConditionExpression,
  findColumn,
  findRows,
  type NamePosition,
  scopeWithin,
  type Term,
  type TextRange,
} from "../conditions/index.ts";
import type { ModelDefinition } from "../definition/definition.ts";
import { builtInFile } from "../load/built-in-users.ts";
import type { ModelNode } from "../resolve/model-graph.ts";

/** A missing index: EXISTS looks for one row among many that refer to the same row. */
export interface MissingLookup {
  readonly at: TextRange;
  readonly model: string;
  readonly column: string;
  /** The foreign key to the parent row if an index on both columns helps; null if the index must begin with the column. */
  readonly key: string | null;
}

interface Search {
  /** True for reads, which search a whole table. Writes test only rows that their filter has found. */
  readonly ofMany: boolean;
  readonly definitions: ReadonlyMap<string, ModelDefinition>;
}

type Exists = Extract<ConditionExpression, { kind: "exists" }>;

/** Finds each EXISTS of a condition that no index serves, at any depth. */
export function missingLookups(
  expression: ConditionExpression,
  from: NamePosition,
  search: Search,
): MissingLookup[] {
  switch (expression.kind) {
    case "and":
    case "or":
      return expression.items.flatMap((item) => missingLookups(item, from, search));
    case "not":
      return missingLookups(expression.item, from, search);
    case "exists":
      return below(expression, from, search);
    default:
      return [];
  }
}

function below({ path, where }: Exists, from: NamePosition, search: Search): MissingLookup[] {
  const found = findRows(path, from);
  if (where === null || "message" in found) return [];
  const inside = scopeWithin(path, found.end, from);
  const further = missingLookups(where, inside, search);
  const definition = search.definitions.get(found.end.model);
  const last = found.relations.at(-1);
  if (definition === undefined || last === undefined || last.kind === "belongs_to") return further;
  const key = last.references;
  const columns = comparedColumns(where, inside);
  const wanted = columns.find(({ ofCaller }) => ofCaller) ?? columns[0];
  if (wanted === undefined || columns.some((column) => isServed(definition, key, column, search)))
    return further;
  const firstColumn = search.ofMany && wanted.ofCaller ? null : key;
  return [{ at: wanted.at, column: wanted.column, model: definition.key, key: firstColumn }, ...further];
}

/** Whether an index finds the row: by the column, by key and column, or because the key is unique. */
function isServed(definition: ModelDefinition, key: string, { column, ofCaller }: Compared, search: Search) {
  if (leadingFields(definition).has(column)) return true;
  if (definition.uniqueKeys.some(({ fields }) => fields.length === 1 && fields[0] === key)) return true;
  // A read looks for the rows of the caller once, before it knows any key.
  return !(search.ofMany && ofCaller) && hasPair(definition, key, column);
}

/** A column that must equal a placeholder or another field, not a constant. */
interface Compared {
  readonly at: TextRange;
  readonly column: string;
  readonly ofCaller: boolean;
}

/** The compared columns of the row that EXISTS looks for. */
function comparedColumns(where: ConditionExpression, from: NamePosition): Compared[] {
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
    if (found.column.kind === "boolean") return [];
    return [{ at: term.at, column: term.name, ofCaller: isOfCaller(other) }];
  });
}

/** Whether the term is a value that identifies the caller. */
export function isOfCaller(term: Term | undefined): boolean {
  return term?.kind === "user" || (term?.kind === "placeholder" && ["user_id", "email"].includes(term.name));
}

/** The fields that an index or a unique key begins with. */
export function leadingFields({ uniqueKeys, indexes }: ModelDefinition): ReadonlySet<string> {
  return new Set(["id", ...[...uniqueKeys, ...indexes].flatMap(({ fields }) => fields.slice(0, 1))]);
}

/** Whether an index or a unique key begins with both fields, in either order. */
function hasPair({ uniqueKeys, indexes }: ModelDefinition, one: string, other: string): boolean {
  const pairs = [...uniqueKeys, ...indexes].map(({ fields }) => fields.slice(0, 2));
  return pairs.some((pair) => pair.includes(one) && pair.includes(other));
}

/** The JSON that declares an index on these columns, and where to add it. */
export function indexLine(node: ModelNode | undefined, columns: readonly string[]): string {
  const [only = "", ...more] = columns;
  const field = node?.fields.get(only);
  const model = JSON.stringify(node?.raw.key ?? "");
  if (more.length === 0 && field !== undefined && field.at.file !== builtInFile)
    return `"index": true to the field "${only}" of ${model}`;
  const lists = [...(node?.raw.indexes ?? []).map(({ fields }) => fields.map(({ value }) => value)), columns];
  const shown = lists.map((list) => `[${list.map((name) => JSON.stringify(name)).join(", ")}]`);
  return `"indexes": [${shown.join(", ")}] to the model ${model}`;
}
