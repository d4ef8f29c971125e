import type { ListInput } from "../../crud/input/list-input.ts";
import type { Problem } from "../../errors/index.ts";
import { type Column, columnsOf, type Model } from "../../model/index.ts";
import { type Argument, argumentValue, type Variables, variablesIn } from "../document/index.ts";
import type { Result } from "./aggregate-selection.ts";
import { figureOfKey, isApplicable } from "./figures.ts";
import { ListArguments, orderOf } from "./list-arguments.ts";
import { orderPosition, requirePositions } from "./positions.ts";

/** What groups are ordered by; ties go by the group-by fields. */
export interface AggregateOrder {
  readonly by: Exclude<Result, { readonly kind: "typename" }>;
  readonly descending: boolean;
}

/** What the arguments of an aggregate ask for. */
export interface AskedAggregate {
  /** Filters, search, limit and offset. */
  readonly input: ListInput;
  readonly searches: boolean;
  readonly groupBy: readonly Column[];
  /** Null: by the group-by fields alone. */
  readonly order: AggregateOrder | null;
  /** The columns that the order names, those too that do not fit. */
  readonly orderColumns: readonly string[];
  readonly problems: readonly Problem[];
}

const own: ReadonlyMap<string, "groupBy" | "orderBy"> = new Map([
  ["groupBy", "groupBy"],
  ["group_by", "groupBy"],
  ["orderBy", "orderBy"],
  ["order_by", "orderBy"],
]);

/** The arguments of an aggregate. Those without variables are read once. */
export class AggregateArguments {
  readonly #model: Model;
  readonly #own: readonly Argument[];
  readonly #list: ListArguments;
  readonly #isConstant: boolean;
  #read: AskedAggregate | null = null;

  constructor(model: Model, args: readonly Argument[]) {
    this.#model = model;
    this.#own = args.filter(({ name }) => own.has(name));
    this.#list = new ListArguments(
      model,
      args.filter(({ name }) => !own.has(name)),
      true,
    );
    this.#isConstant = args.every(({ value }) => variablesIn(value).length === 0);
  }

  /** Reads the arguments with the variables of a request. */
  read(variables: Variables): AskedAggregate {
    if (this.#read !== null) return this.#read;
    const asked = readAggregate(this.#model, this.#own, this.#list, variables);
    if (this.#isConstant) this.#read = asked;
    return asked;
  }
}

function readAggregate(
  model: Model,
  args: readonly Argument[],
  list: ListArguments,
  variables: Variables,
): AskedAggregate {
  const problems: Problem[] = [];
  const values = readOwn(model, args, variables, problems);
  const { input, searches, problems: ofList } = list.read(variables);
  const groupBy = readGroupBy(model, values.get("groupBy"), problems);
  const { order, columns } = readOrder(model, values.get("orderBy"), groupBy, problems);
  return { input, searches, groupBy, order, orderColumns: columns, problems: [...ofList, ...problems] };
}

/** The values of `groupBy` and `orderBy`, by these names. Null is none, as in lists. */
function readOwn(
  model: Model,
  args: readonly Argument[],
  variables: Variables,
  problems: Problem[],
): ReadonlyMap<string, unknown> {
  const values = new Map<string, unknown>();
  for (const { name, value: node } of args) {
    const parameter = own.get(name) ?? name;
    const type = `${model.typeName}${parameter === "groupBy" ? "GroupBy" : "AggregateOrderBy"}`;
    requirePositions(node, orderPosition(type), variables, problems);
    const value = argumentValue(node, variables);
    if (value === undefined || value === null) continue;
    if (values.has(parameter)) problems.push({ field: name, message: "stands beside its synonym" });
    values.set(parameter, value);
  }
  return values;
}

function readGroupBy(model: Model, value: unknown, problems: Problem[]): readonly Column[] {
  if (value === undefined) return [];
  const names: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (names.length === 0) problems.push({ field: "groupBy", message: "must name a field, or several" });
  const columns = new Set<Column>();
  for (const name of names) {
    const column = typeof name === "string" ? columnsOf(model).get(name) : undefined;
    if (column === undefined) problems.push({ field: "groupBy", message: `is not a field of ${model.slug}` });
    else if (column.kind === "json")
      problems.push({ field: "groupBy", message: "cannot group by a json field" });
    if (column !== undefined) columns.add(column);
  }
  return [...columns];
}

/** A group-by field, `count` or the key of a figure, with `-` before or `__desc` behind it for descending. */
function readOrder(
  model: Model,
  value: unknown,
  groupBy: readonly Column[],
  problems: Problem[],
): { readonly order: AggregateOrder | null; readonly columns: readonly string[] } {
  if (value === undefined) return { order: null, columns: [] };
  const { name, descending } = orderOf(value);
  const key = typeof name === "string" ? name : "";
  if (key === "count") return { order: { by: { kind: "count" }, descending }, columns: [] };
  const figure = figureOfKey(model, key);
  if (figure !== undefined && isApplicable(figure))
    return { order: { by: { kind: "figure", figure }, descending }, columns: [figure.column.name] };
  const column = figure?.column ?? columnsOf(model).get(key);
  const isGroup = column !== undefined && column.name === key && groupBy.includes(column);
  if (isGroup) return { order: { by: { kind: "group", column }, descending }, columns: [key] };
  problems.push({ field: "orderBy", message: "must be a field of groupBy, count, or a key of the answer" });
  return { order: null, columns: column === undefined ? [] : [column.name] };
}
