import { Kind, type ValueNode } from "graphql";
import {
  descendingSuffix,
  listArguments,
  type ParameterArguments,
} from "../../../../vocabulary/graphql/arguments.ts";
import { inputTypes } from "../../../../vocabulary/graphql/names.ts";
import type { Problem } from "../../../core/errors/index.ts";
import { combinedFilters, isDropped, type ListInput, readListInput } from "../../../data/operations/index.ts";
import type { Filter } from "../../../data/sql/index.ts";
import { columnsOf, type Model } from "../../../models/index.ts";
import {
  type Argument,
  argumentValue,
  plainNumbers,
  type Variables,
  variablesIn,
} from "../document/index.ts";
import { numberReadings } from "./exact-places.ts";
import { readFieldFilters } from "./filter-form.ts";
import { columnPosition, namePosition, plainPosition, requirePositions } from "./positions.ts";

/** What the arguments of a list ask for. */
export interface AskedList {
  readonly input: ListInput;
  readonly problems: readonly Problem[];
}

/** How messages call what a caller sends under other names than over REST: of synonyms the first. */
const labels: ReadonlyMap<string, string> = new Map(
  [...listArguments].map(([name, parameter]) => [parameter, name] as const).reverse(),
);

/** The arguments of a root list or of a `has_many`. Those without variables are read once. */
export class ListArguments {
  readonly #model: Model;
  readonly #args: readonly Argument[];
  readonly #named: ParameterArguments;
  readonly #isConstant: boolean;
  readonly #search: ValueNode | undefined;
  #read: AskedList | null = null;
  /** What is wrong with where variables stand: the operation declares them, so that is the same for all requests. */
  #misplaced: readonly Problem[] | null = null;

  constructor(model: Model, args: readonly Argument[], named: ParameterArguments) {
    this.#model = model;
    this.#args = args;
    this.#named = named;
    this.#search = args.find(({ name }) => named.get(name) === "search_term")?.value;
    this.#isConstant = args.every(({ value }) => variablesIn(value).length === 0);
  }

  /** Whether `search` is sent, so that the search rules hold. Told without reading the arguments: limits ask it first. */
  searches(variables: Variables): boolean {
    return this.#search?.kind === Kind.VARIABLE
      ? variables.isSet(this.#search.name.value)
      : this.#search !== undefined && this.#search.kind !== Kind.NULL;
  }

  /** Reads the arguments with the variables of a request. */
  read(variables: Variables): AskedList {
    if (this.#read !== null) return this.#read;
    this.#misplaced ??= this.#args.flatMap((arg) => misplaced(this.#model, arg, this.#named, variables));
    const problems = [...this.#misplaced];
    const asked = readList(this.#model, this.#args, this.#named, variables, problems);
    if (this.#isConstant) this.#read = asked;
    return asked;
  }
}

function readList(
  model: Model,
  args: readonly Argument[],
  named: ParameterArguments,
  variables: Variables,
  problems: Problem[],
): AskedList {
  const parameters = new Map<string, unknown>();
  const filters: Filter[] = [];
  const { filter } = numberReadings(model);
  for (const { name, value: node } of args) {
    const parameter = named.get(name);
    const numbers = parameter === undefined ? filter(name) : plainNumbers;
    const value = argumentValue(node, variables, numbers);
    if (value === undefined) continue;
    if (parameter === undefined && !isFilter(model, name))
      problems.push({ field: name, message: combinedFilters(name, inObject) ?? unknown });
    else if (parameter === undefined) filters.push(...readFieldFilters(model, name, value, problems));
    else if (value === null) continue;
    else if (parameters.has(parameter)) problems.push({ field: name, message: "stands beside its synonym" });
    else if (parameter === "order_by") readOrder(value, parameters);
    else parameters.set(parameter, value);
  }
  const input = readListInput(model, filters, parameters, problems);
  return { input, problems: problems.map(relabelled) };
}

const inObject = (operator: string) => `field: { ${operator}: … }`;

const unknown = "is no argument here, and no field to filter by";

/** A filter on `deleted_at` is known everywhere, and dropped. */
function isFilter(model: Model, name: string): boolean {
  return isDropped(name) || columnsOf(model).has(name);
}

function misplaced(
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
  return plainPosition(parameter === "search_term" ? "String" : "Int");
}

/** `title`, or for descending `-title` or `title__desc`, which is how an enum can say it. */
function readOrder(value: unknown, parameters: Map<string, unknown>): void {
  const { name, descending } = orderOf(value);
  parameters.set("order_by", name);
  parameters.set("order", descending ? "DESC" : "ASC");
}

/** The name and direction of an `orderBy`. A value that is no text comes back as it is. */
export function orderOf(value: unknown): { readonly name: unknown; readonly descending: boolean } {
  if (typeof value !== "string") return { name: value, descending: false };
  if (value.startsWith("-")) return { name: value.slice(1), descending: true };
  return value.endsWith(descendingSuffix)
    ? { name: value.slice(0, -descendingSuffix.length), descending: true }
    : { name: value, descending: false };
}

function relabelled({ field, message }: Problem): Problem {
  return { field: labels.get(field) ?? field, message };
}
