import { typeOfKind } from "../../../../vocabulary/fields/field-kinds.ts";
import { isOrderable } from "../../../../vocabulary/fields/filter-operators.ts";
import {
  type AggregateFunction,
  acceptsColumn,
  aggregateKey,
  isAggregateFunction,
  parseAggregateKey,
} from "../../../../vocabulary/graphql/aggregates.ts";
import { aggregateArguments, listArguments } from "../../../../vocabulary/graphql/arguments.ts";
import { aggregatePartType, aggregateType, inputTypes } from "../../../../vocabulary/graphql/names.ts";
import { maxIdentifierLength } from "../../../../vocabulary/identifiers.ts";
import { type Problem, refuseProblems } from "../../../core/errors/index.ts";
import {
  type ListInput,
  type OperationContext,
  operationContext,
  searchedFields,
} from "../../../data/operations/index.ts";
import { type Grant, requireFields } from "../../../models/access/index.ts";
import { type Column, columnsOf, type Model } from "../../../models/index.ts";
import {
  type Argument,
  argumentValue,
  type Field,
  type Selection,
  type Variables,
  variablesIn,
} from "../document/index.ts";
import { ListArguments, namePosition, orderOf, type Position, requirePositions } from "./list-arguments.ts";
import type { GraphqlContext, PublicModel } from "./model-registry.ts";
import { checkConditions, refuseArguments } from "./selection.ts";

export interface Aggregate {
  readonly name: AggregateFunction;
  readonly column: Column;
  /** In the response and in `orderBy`: `sum_total`. */
  readonly key: string;
}

function aggregateOf(name: AggregateFunction, column: Column): Aggregate {
  return { name, column, key: aggregateKey(name, column.name) };
}

function isApplicable({ name, column }: Aggregate): boolean {
  return acceptsColumn(name, column);
}

/** The aggregate of a key such as `sum_total`. */
export function aggregateOfKey(model: Model, key: string): Aggregate | undefined {
  const parsed = parseAggregateKey(key);
  const column = parsed === null ? undefined : columnsOf(model).get(parsed.field);
  return parsed === null || column === undefined ? undefined : aggregateOf(parsed.name, column);
}

/** The order of groups; the group-by fields break ties. */
export interface AggregateOrder {
  readonly by: Exclude<Result, { readonly kind: "typename" }>;
  readonly descending: boolean;
}

/** Reads `groupBy`, one field or several. Adds errors to `problems`. */
export function readGroupBy(model: Model, value: unknown, problems: Problem[]): readonly Column[] {
  if (value === undefined) return [];
  const names: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (names.length === 0) problems.push({ field: "groupBy", message: "must name one or more fields" });
  const columns = new Set<Column>();
  for (const name of names) {
    const column = typeof name === "string" ? columnsOf(model).get(name) : undefined;
    if (column === undefined) problems.push({ field: "groupBy", message: "is not a field" });
    else if (!isOrderable(column))
      problems.push({
        field: "groupBy",
        message: `cannot group by a ${column.dbType ?? typeOfKind(column.kind)} field`,
      });
    if (column !== undefined) columns.add(column);
  }
  return [...columns];
}

/**
 * Reads `orderBy`: a group-by field, `count` or the key of an aggregate; descending with a leading `-` or a
 * trailing `__desc`.
 */
export function readAggregateOrder(
  model: Model,
  value: unknown,
  groupBy: readonly Column[],
  problems: Problem[],
): { readonly order: AggregateOrder | null; readonly columns: readonly string[] } {
  if (value === undefined) return { order: null, columns: [] };
  const { name, descending } = orderOf(value);
  const key = typeof name === "string" ? name : "";
  if (key === "count") return { order: { by: { kind: "count" }, descending }, columns: [] };
  const aggregate = aggregateOfKey(model, key);
  if (aggregate !== undefined && isApplicable(aggregate))
    return { order: { by: { kind: "aggregate", aggregate }, descending }, columns: [aggregate.column.name] };
  const column = columnsOf(model).get(key);
  if (column !== undefined && groupBy.includes(column))
    return { order: { by: { kind: "group", column }, descending }, columns: [key] };
  problems.push({
    field: "orderBy",
    message: "must be a field of groupBy, count, or the key of an aggregate",
  });
  const named = column ?? aggregate?.column;
  return { order: null, columns: named === undefined ? [] : [named.name] };
}

/** The input of an aggregate. */
export interface RequestedAggregate {
  /** Filters, search, limit and offset. */
  readonly input: ListInput;
  readonly searches: boolean;
  readonly groupBy: readonly Column[];
  /** Null: by the group-by fields. */
  readonly order: AggregateOrder | null;
  /** The columns in `orderBy`, including invalid ones. */
  readonly orderColumns: readonly string[];
  readonly problems: readonly Problem[];
}

/** Parameters that lists do not have, or read in another way. */
const own: ReadonlySet<string | undefined> = new Set(["group_by", "order_by"]);

const isOwn = ({ name }: Argument) => own.has(aggregateArguments.get(name));

/** The arguments of an aggregate, read only once if they have no variables. */
class AggregateArguments {
  readonly #model: Model;
  readonly #own: readonly Argument[];
  readonly #list: ListArguments;
  readonly #isGroupingConstant: boolean;
  #grouping: RequestedGrouping | null = null;

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

  read(variables: Variables): RequestedAggregate {
    const { input, problems } = this.#list.read(variables);
    const searches = this.#list.searches(variables);
    const grouping = this.#grouping ?? readGrouping(this.#model, this.#own, variables);
    if (this.#isGroupingConstant) this.#grouping = grouping;
    const { groupBy, order, orderColumns } = grouping;
    const all = grouping.problems.length === 0 ? problems : [...problems, ...grouping.problems];
    return { groupBy, order, orderColumns, input, searches, problems: all };
  }
}

type RequestedGrouping = Omit<RequestedAggregate, "input" | "searches">;

function readGrouping(model: Model, args: readonly Argument[], variables: Variables): RequestedGrouping {
  const problems: Problem[] = [];
  const values = readOwn(model, args, variables, problems);
  const groupBy = readGroupBy(model, values.get("group_by"), problems);
  const { order, columns } = readAggregateOrder(model, values.get("order_by"), groupBy, problems);
  return { groupBy, order, orderColumns: columns, problems };
}

/** The values of `groupBy` and `orderBy`; null means none. */
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
    if (values.has(parameter))
      problems.push({ field: name, message: "is sent twice, under both of its names" });
    values.set(parameter, value);
  }
  return values;
}

/** `groupBy` has the enum that orders lists. */
function positionOf(model: Model, parameter: string): Position {
  return parameter === "group_by"
    ? namePosition(inputTypes(model).orderBy)
    : namePosition(inputTypes(model).aggregateOrderBy);
}

/** A value of each group. */
export type Result =
  | { readonly kind: "count" }
  | { readonly kind: "typename" }
  | { readonly kind: "aggregate"; readonly aggregate: Aggregate }
  | { readonly kind: "group"; readonly column: Column };

/** The selection of groups by response key: only root fields have aliases. */
interface AggregateSelection {
  readonly results: ReadonlyMap<string, Result>;
  /** The columns that it names, including invalid ones. */
  readonly columns: readonly string[];
}

/** Adds errors to `problems`. */
export function resolveAggregateSelection(
  model: Model,
  selection: Selection,
  problems: Problem[],
): AggregateSelection {
  checkConditions(selection, [aggregateType(model.key)], problems);
  const found = selection.fields.flatMap((field) => resolveResults(model, field, problems));
  const columns = found.flatMap(([, result]) => requireColumn(result)?.name ?? []);
  return { results: new Map(found), columns };
}

type Entry = readonly [key: string, result: Result];

function resolveResults(model: Model, field: Field, problems: Problem[]): Entry[] {
  const { name, args, selection } = field;
  refuseArguments(args, problems);
  if (selection !== null && isAggregateFunction(name))
    return resolveFunction(model, name, selection, problems);
  const entry = leafEntry(model, name, problems);
  if (entry !== null && selection !== null) problems.push({ field: name, message: "has no subfields" });
  if (entry !== null) return [entry];
  const message = isAggregateFunction(name) ? "needs a selection of its fields" : "is not a field";
  problems.push({ field: name, message });
  return [];
}

function leafEntry(model: Model, name: string, problems: Problem[]): Entry | null {
  if (name === "count") return [name, { kind: "count" }];
  if (name === "__typename") return [name, { kind: "typename" }];
  const direct = aggregateOfKey(model, name);
  const column = columnsOf(model).get(name);
  // A field can be named sum_region if regions have no sum.
  if (column !== undefined && (direct === undefined || !isApplicable(direct)))
    return [name, { kind: "group", column }];
  return direct === undefined ? null : aggregateEntry(direct, name, problems);
}

function resolveFunction(
  model: Model,
  name: AggregateFunction,
  selection: Selection,
  problems: Problem[],
): Entry[] {
  checkConditions(selection, [aggregatePartType(model.key, name)], problems);
  return selection.fields.flatMap((field) => {
    refuseArguments(field.args, problems);
    if (field.selection !== null) problems.push({ field: field.name, message: "has no subfields" });
    // Some clients add it everywhere; the flat response has no place for it.
    if (field.name === "__typename") return [];
    const column = columnsOf(model).get(field.name);
    if (column !== undefined) return [aggregateEntry(aggregateOf(name, column), field.name, problems)];
    problems.push({ field: field.name, message: "is not a field" });
    return [];
  });
}

function aggregateEntry(one: Aggregate, label: string, problems: Problem[]): Entry {
  if (!isApplicable(one)) problems.push({ field: label, message: `cannot be used with ${one.name}` });
  if (one.key.length > maxIdentifierLength)
    problems.push({
      field: label,
      message: `has a response key of more than ${maxIdentifierLength} characters`,
    });
  return [one.key, { kind: "aggregate", aggregate: one }];
}

function requireColumn(result: Result): Column | undefined {
  if (result.kind === "aggregate") return result.aggregate.column;
  return result.kind === "group" ? result.column : undefined;
}

/** A root field with aggregates of a model: one element, or one per group. */
export interface AggregateRoot {
  readonly kind: "aggregate";
  /** For cache keys. */
  readonly id: number;
  readonly key: string;
  readonly member: PublicModel;
  /** Aggregates have the rules and the rate limit of search. */
  readonly operation: () => "search";
  readonly args: AggregateArguments;
  readonly selection: AggregateSelection;
  readonly problems: readonly Problem[];
}

/** An aggregate that the caller may run. */
export interface AuthorizedAggregate {
  readonly call: OperationContext;
  readonly grant: Grant;
  readonly requested: RequestedAggregate;
  readonly searchIn: readonly string[];
}

export function resolveAggregate(id: number, field: Field, member: PublicModel): AggregateRoot {
  const problems: Problem[] = [];
  const { key, name, args, selection } = field;
  if (selection === null) problems.push({ field: name, message: "needs a selection of its fields" });
  return {
    kind: "aggregate",
    id,
    key,
    member,
    operation: () => "search",
    args: new AggregateArguments(member.model, args),
    selection: resolveAggregateSelection(member.model, selection ?? { fields: [], on: [] }, problems),
    problems,
  };
}

/**
 * Authorizes an aggregate by the rules of search: the operation, each named field, then the input. Errors:
 * 403 `PERMISSION_DENIED`, 400 `VALIDATION_ERROR`.
 */
export function authorizeAggregate(
  root: AggregateRoot,
  { services, caller, variables }: GraphqlContext,
): AuthorizedAggregate {
  const { member, selection, args } = root;
  const grant = member.authorize(root.operation(), caller.principal, aggregateType(member.model.key));
  const call = operationContext(services, member.entry, caller);
  const requested = args.read(variables);
  requireFields(call.view, {
    filters: requested.input.filters,
    select_fields: [...selection.columns, ...requested.orderColumns],
    group_by: requested.groupBy.map(({ name }) => name),
  });
  const searchIn = requested.searches ? searchedFields(call, "search", requested.input) : [];
  const wrong = ungrouped(selection, requested);
  if (root.problems.length + requested.problems.length + wrong.length > 0)
    refuseProblems([...root.problems, ...requested.problems, ...wrong]);
  return { call, grant, requested, searchIn };
}

/** Selected fields that are not in `groupBy`. */
function ungrouped({ results }: AggregateSelection, { groupBy }: RequestedAggregate): Problem[] {
  const problems: Problem[] = [];
  for (const result of results.values())
    if (result.kind === "group" && !groupBy.includes(result.column))
      problems.push({ field: result.column.name, message: "is not in groupBy" });
  return problems;
}
