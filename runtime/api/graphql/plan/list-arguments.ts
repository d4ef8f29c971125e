import { Kind, type ValueNode } from "graphql";
import { comparedByDbType } from "../../../../vocabulary/fields/db-types.ts";
import { type FieldKind, fieldKinds, isExactKind } from "../../../../vocabulary/fields/field-kinds.ts";
import { elementKindOf } from "../../../../vocabulary/fields/list-kinds.ts";
import {
  descendingSuffix,
  listArguments,
  type ParameterArguments,
  pageArguments,
} from "../../../../vocabulary/graphql/arguments.ts";
import {
  enumFilter,
  fieldEnumType,
  inputTypes,
  pageTotalType,
  sharedTypes,
} from "../../../../vocabulary/graphql/names.ts";
import { isJsonObject } from "../../../../vocabulary/json.ts";
import { weakMemo } from "../../../core/concurrency/index.ts";
import type { Problem } from "../../../core/errors/index.ts";
import {
  combinedFilters,
  isDropped,
  type ListInput,
  readFieldFilters,
  readListInput,
} from "../../../data/operations/index.ts";
import type { Filter } from "../../../data/sql/index.ts";
import { columnsOf, type Model } from "../../../models/index.ts";
import {
  type Argument,
  argumentValue,
  exactNumbers,
  type NumberReading,
  plainNumbers,
  type Variables,
  variablesIn,
} from "../document/index.ts";

/** How numbers in arguments of a model are read. */
interface NumberReadings {
  /** For a filter, which is a separate argument per field. */
  readonly filter: (field: string) => NumberReading;
  /** For a record and for `where`. */
  readonly object: NumberReading;
}

/** For fields whose numbers are strings in JSON, no digit is lost. */
export const numberReadings = weakMemo((model: Model): NumberReadings => {
  const columns = [...columnsOf(model).values()];
  const exact = new Set(
    columns.flatMap(({ name, kind }) => (isExactKind(elementKindOf(kind) ?? kind) ? [name] : [])),
  );
  const filter = (field: string) => (exact.has(field) ? exactNumbers : plainNumbers);
  return { filter, object: exact.size === 0 ? plainNumbers : { ...plainNumbers, under: filter } };
});

/** The declared variable types that are valid in a place; lists of them, too. */
export interface Position {
  readonly types: readonly string[];
  /** Inside an object; undefined for an unknown name, which is rejected elsewhere. */
  readonly fields?: (name: string) => Position | undefined;
}

function plainPosition(...types: readonly string[]): Position {
  return { types };
}

/** The name of a field to order or group by: the enum of the schema, or a string. */
export function namePosition(...types: readonly string[]): Position {
  return { types: [...types, "String"] };
}

/** A filter on a column: the filter type, a plain value, or an object of operators. */
export function columnPosition(model: Model, name: string): Position | undefined {
  const value = valuePosition(model, name);
  const column = columnsOf(model).get(name);
  if (value === undefined || column === undefined) return undefined;
  const { filter } = fieldKinds[column.kind].graphql;
  const hasEquality = column.enum !== null || comparedByDbType(column) === "for equality";
  return {
    types: [
      ...value.types,
      ...(filter === null ? [] : [filter]),
      ...(hasEquality && elementKindOf(column.kind) === null ? [enumFilter] : []),
    ],
    fields: (operator) => (operator === "is_null" ? plainPosition("Boolean") : value),
  };
}

/** `where` of mutations. */
export function wherePosition(model: Model): Position {
  return { types: [inputTypes(model).where], fields: (name) => columnPosition(model, name) };
}

/** `input` of mutations. */
export function recordPosition(model: Model, verb: "create" | "update" | "upsert" | "restore"): Position {
  const types = { ...inputTypes(model), ...sharedTypes(model) };
  return { types: [types[verb]], fields: (name) => valuePosition(model, name) };
}

/** `ids` of mutations. */
export function idPosition(model: Model): Position {
  return { types: plainTypes(model.id) };
}

function valuePosition(model: Model, name: string): Position | undefined {
  const column = columnsOf(model).get(name);
  if (column === undefined) return undefined;
  const plain = plainTypes(column.kind);
  return { types: column.enum === null ? plain : [...plain, fieldEnumType(model.typeName, name)] };
}

/** The variable types for values of a kind, or for elements of its lists. The first one is in the schema. */
function plainTypes(kind: FieldKind): readonly string[] {
  const { value, alike } = fieldKinds[elementKindOf(kind) ?? kind].graphql;
  return [value, ...alike];
}

/** Reports variables whose declared type does not fit their place. */
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
          message: `is declared as ${declared}, which does not fit its position`,
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

export interface RequestedList {
  readonly input: ListInput;
  readonly problems: readonly Problem[];
}

/** GraphQL's names of parameters, for messages; the first of synonyms. */
const labels: ReadonlyMap<string, string> = new Map(
  [...pageArguments, ...listArguments].map(([name, parameter]) => [parameter, name] as const).reverse(),
);

/** The arguments of a root list or of a `has_many`, read only once if they have no variables. */
export class ListArguments {
  readonly #model: Model;
  readonly #args: readonly Argument[];
  readonly #named: ParameterArguments;
  readonly #isConstant: boolean;
  readonly #search: ValueNode | undefined;
  #read: RequestedList | null = null;
  /** Errors of variable types, which are the same for all requests. */
  #positionProblems: readonly Problem[] | null = null;

  constructor(model: Model, args: readonly Argument[], named: ParameterArguments) {
    this.#model = model;
    this.#args = args;
    this.#named = named;
    this.#search = args.find(({ name }) => named.get(name) === "search_term")?.value;
    this.#isConstant = args.every(({ value }) => variablesIn(value).length === 0);
  }

  /**
   * Whether `search` is sent: then the rules of search apply. Rate limits need this before the arguments are
   * read.
   */
  searches(variables: Variables): boolean {
    return this.#search?.kind === Kind.VARIABLE
      ? variables.isSet(this.#search.name.value)
      : this.#search !== undefined && this.#search.kind !== Kind.NULL;
  }

  read(variables: Variables): RequestedList {
    if (this.#read !== null) return this.#read;
    this.#positionProblems ??= this.#args.flatMap((arg) =>
      positionProblems(this.#model, arg, this.#named, variables),
    );
    const problems = [...this.#positionProblems];
    const requested = readList(this.#model, this.#args, this.#named, variables, problems);
    if (this.#isConstant) this.#read = requested;
    return requested;
  }
}

function readList(
  model: Model,
  args: readonly Argument[],
  named: ParameterArguments,
  variables: Variables,
  problems: Problem[],
): RequestedList {
  const parameters = new Map<string, unknown>();
  const filters: Filter[] = [];
  const { filter, object } = numberReadings(model);
  const byWhere = named.has("where");
  for (const { name, value: node } of args) {
    const parameter = named.get(name);
    const numbers = parameter === undefined ? filter(name) : parameter === "where" ? object : plainNumbers;
    const value = argumentValue(node, variables, numbers);
    if (value === undefined) continue;
    if (parameter === undefined && byWhere)
      problems.push({ field: name, message: "is not an argument here" });
    else if (parameter === undefined && !isFilter(model, name))
      problems.push({ field: name, message: combinedFilters(name, inObject) ?? unknown });
    else if (parameter === undefined) filters.push(...readFieldFilters(model, name, value, problems));
    else if (value === null) continue;
    else if (parameters.has(parameter))
      problems.push({ field: name, message: "is sent twice, under both of its names" });
    else if (parameter === "order_by") readOrder(value, parameters);
    else if (parameter !== "where") parameters.set(parameter, value);
    else if (isJsonObject(value))
      for (const [field, one] of Object.entries(value))
        filters.push(...readFieldFilters(model, field, one, problems));
    else problems.push({ field: name, message: "must be an object of filters" });
  }
  if (byWhere && !parameters.has("page__after") && !parameters.has("page__before"))
    parameters.set("page__after", "start");
  const input = readListInput(model, filters, parameters, problems);
  return { input, problems: problems.map(withGraphqlName) };
}

const inObject = (operator: string) => `field: { ${operator}: … }`;

const unknown = "is neither an argument nor a field to filter by";

/** A filter on `deleted_at` is ignored in all models. */
function isFilter(model: Model, name: string): boolean {
  return isDropped(name) || columnsOf(model).has(name);
}

function positionProblems(
  model: Model,
  { name, value }: Argument,
  named: ParameterArguments,
  variables: Variables,
): Problem[] {
  const problems: Problem[] = [];
  requirePositions(value, positionOf(model, name, named.get(name)), variables, problems);
  return problems;
}

function positionOf(model: Model, name: string, parameter: string | undefined) {
  if (parameter === undefined) return columnPosition(model, name);
  if (parameter === "order_by") return namePosition(inputTypes(model).orderBy);
  if (parameter === "where") return wherePosition(model);
  if (parameter === "page__total") return namePosition(pageTotalType);
  const isText = parameter !== "limit" && parameter !== "offset";
  return plainPosition(isText ? "String" : "Int");
}

/** `title`, or descending `-title` or `title__desc`, which an enum can express. */
function readOrder(value: unknown, parameters: Map<string, unknown>): void {
  const { name, descending } = orderOf(value);
  parameters.set("order_by", name);
  parameters.set("order", descending ? "DESC" : "ASC");
}

/** A value that is not a string is returned unchanged as the name. */
export function orderOf(value: unknown): { readonly name: unknown; readonly descending: boolean } {
  if (typeof value !== "string") return { name: value, descending: false };
  if (value.startsWith("-")) return { name: value.slice(1), descending: true };
  return value.endsWith(descendingSuffix)
    ? { name: value.slice(0, -descendingSuffix.length), descending: true }
    : { name: value, descending: false };
}

function withGraphqlName({ field, message }: Problem): Problem {
  return { field: graphqlName(field), message };
}

/** The argument of a parameter of REST: `after` of `page__after`. */
export function graphqlName(parameter: string): string {
  return labels.get(parameter) ?? parameter;
}
