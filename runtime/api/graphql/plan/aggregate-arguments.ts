import { aggregateArguments, listArguments } from "../../../../vocabulary/graphql/arguments.ts";
import { inputTypes } from "../../../../vocabulary/graphql/names.ts";
import type { Problem } from "../../../core/errors/index.ts";
import type { ListInput } from "../../../data/operations/index.ts";
import type { Column, Model } from "../../../models/index.ts";
import { type Argument, argumentValue, type Variables, variablesIn } from "../document/index.ts";
import { type AggregateOrder, readAggregateOrder, readGroupBy } from "./grouping.ts";
import { ListArguments } from "./list-arguments.ts";
import { namePosition, type Position, requirePositions } from "./positions.ts";

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

/** The arguments of an aggregate. What has no variables is read once. */
export class AggregateArguments {
  readonly #model: Model;
  readonly #own: readonly Argument[];
  readonly #list: ListArguments;
  readonly #isGroupingConstant: boolean;
  #grouping: AskedGrouping | null = null;

  constructor(model: Model, args: readonly Argument[]) {
    this.#model = model;
    this.#own = args.filter(isOwn);
    this.#list = new ListArguments(
      model,
      args.filter((arg) => !isOwn(arg)),
      listArguments,
    );
    this.#isGroupingConstant = this.#own.every(({ value }) => variablesIn(value).length === 0);
  }

  /** Reads the arguments with the variables of a request. */
  read(variables: Variables): AskedAggregate {
    const { input, problems } = this.#list.read(variables);
    const searches = this.#list.searches(variables);
    const grouping = this.#grouping ?? readGrouping(this.#model, this.#own, variables);
    if (this.#isGroupingConstant) this.#grouping = grouping;
    const { groupBy, order, orderColumns } = grouping;
    const all = grouping.problems.length === 0 ? problems : [...problems, ...grouping.problems];
    return { groupBy, order, orderColumns, input, searches, problems: all };
  }
}

type AskedGrouping = Omit<AskedAggregate, "input" | "searches">;

function readGrouping(model: Model, args: readonly Argument[], variables: Variables): AskedGrouping {
  const problems: Problem[] = [];
  const values = readOwn(model, args, variables, problems);
  const groupBy = readGroupBy(model, values.get("group_by"), problems);
  const { order, columns } = readAggregateOrder(model, values.get("order_by"), groupBy, problems);
  return { groupBy, order, orderColumns: columns, problems };
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

/** The enum that orders lists names the groups too. */
function positionOf(model: Model, parameter: string): Position {
  return parameter === "group_by"
    ? namePosition(inputTypes(model).orderBy)
    : namePosition(inputTypes(model).aggregateOrderBy);
}
