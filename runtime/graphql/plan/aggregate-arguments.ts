import { aggregateArguments, listArguments } from "../../../vocabulary/graphql-arguments.ts";
import { inputTypes } from "../../../vocabulary/graphql-names.ts";
import type { Problem } from "../../errors/index.ts";
import type { Column, Model } from "../../model/index.ts";
import type { ListInput } from "../../operations/index.ts";
import { type Argument, argumentValue, type Variables, variablesIn } from "../document/index.ts";
import { type AggregateOrder, readAggregateOrder, readGroupBy } from "./grouping.ts";
import { ListArguments } from "./list-arguments.ts";
import { namePosition, type Position, requirePositions, sharedNames } from "./positions.ts";

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

/** Parameters that lists read otherwise, or not at all. */
const own: ReadonlySet<string | undefined> = new Set(["group_by", "order_by"]);

const isOwn = ({ name }: Argument) => own.has(aggregateArguments.get(name));

/** The arguments of an aggregate. Those without variables are read once. */
export class AggregateArguments {
  readonly #model: Model;
  readonly #own: readonly Argument[];
  readonly #list: ListArguments;
  readonly #isConstant: boolean;
  #read: AskedAggregate | null = null;

  constructor(model: Model, args: readonly Argument[]) {
    this.#model = model;
    this.#own = args.filter(isOwn);
    this.#list = new ListArguments(
      model,
      args.filter((arg) => !isOwn(arg)),
      listArguments,
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
  const { input, problems: ofList } = list.read(variables);
  const searches = list.searches(variables);
  const groupBy = readGroupBy(model, values.get("group_by"), problems);
  const { order, columns } = readAggregateOrder(model, values.get("order_by"), groupBy, problems);
  return { input, searches, groupBy, order, orderColumns: columns, problems: [...ofList, ...problems] };
}

/** The values of `groupBy` and `orderBy`, by parameter. Null is none, as in lists. */
function readOwn(
  model: Model,
  args: readonly Argument[],
  variables: Variables,
  problems: Problem[],
): ReadonlyMap<string, unknown> {
  const values = new Map<string, unknown>();
  for (const { name, value: node } of args) {
    const parameter = aggregateArguments.get(name) ?? name;
    requirePositions(node, positionOf(model, parameter), variables, problems);
    const value = argumentValue(node, variables);
    if (value === undefined || value === null) continue;
    if (values.has(parameter)) problems.push({ field: name, message: "stands beside its synonym" });
    values.set(parameter, value);
  }
  return values;
}

/** Groups are named by the enum that lists are ordered by, and were by one of their own. */
function positionOf(model: Model, parameter: string): Position {
  return parameter === "group_by"
    ? namePosition(...sharedNames(model, "groupBy"))
    : namePosition(inputTypes(model).aggregateOrderBy);
}
