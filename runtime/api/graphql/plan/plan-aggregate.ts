import { aggregateType } from "../../../../vocabulary/graphql/names.ts";
import { type Problem, refuseProblems } from "../../../core/errors/index.ts";
import { type OperationContext, operationContext, searchedFields } from "../../../data/operations/index.ts";
import { type Grant, requireFields } from "../../../models/access/index.ts";
import type { Field } from "../document/index.ts";
import { AggregateArguments, type AskedAggregate } from "./aggregate-arguments.ts";
import { type AggregateSelection, resolveAggregateSelection } from "./aggregate-selection.ts";
import type { GraphqlContext } from "./graphql-context.ts";
import type { PublicMember } from "./model-registry.ts";

/** A root field that answers aggregates of a model's rows: one element, or one for each group. */
export interface AggregateRoot {
  readonly kind: "aggregate";
  /** Stands for the field in the keys of plans. */
  readonly id: number;
  readonly key: string;
  readonly member: PublicMember;
  /** Whose rules and limit it has (contract: "GraphQL"). */
  readonly operation: () => "search";
  readonly args: AggregateArguments;
  readonly selection: AggregateSelection;
  readonly problems: readonly Problem[];
}

/** An aggregate that its caller may ask for, with what its arguments say. */
export interface AdmittedAggregate {
  readonly call: OperationContext;
  readonly grant: Grant;
  readonly asked: AskedAggregate;
  readonly searchIn: readonly string[];
}

export function resolveAggregate(id: number, field: Field, member: PublicMember): AggregateRoot {
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
 * Admits a caller to an aggregate, by the rules of search (contract: "GraphQL"): first the operation, then each field
 * that is named anywhere, then what is wrong. Errors: 403 `PERMISSION_DENIED`, 400 `VALIDATION_ERROR`.
 */
export function admitAggregate(
  root: AggregateRoot,
  { services, caller, variables }: GraphqlContext,
): AdmittedAggregate {
  const { member, selection, args } = root;
  const grant = member.admit(root.operation(), caller.principal, aggregateType(member.model.key));
  const call = operationContext(services, member.entry, caller);
  const asked = args.read(variables);
  requireFields(call.view, {
    filters: asked.input.filters,
    select_fields: [...selection.columns, ...asked.orderColumns],
    group_by: asked.groupBy.map(({ name }) => name),
  });
  const searchIn = asked.searches ? searchedFields(call, "search", asked.input) : [];
  const wrong = ungrouped(selection, asked);
  if (root.problems.length + asked.problems.length + wrong.length > 0)
    refuseProblems([...root.problems, ...asked.problems, ...wrong]);
  return { call, grant, asked, searchIn };
}

/** Fields that have one value in each row but not in each group. */
function ungrouped({ results }: AggregateSelection, { groupBy }: AskedAggregate): Problem[] {
  const problems: Problem[] = [];
  for (const result of results.values())
    if (result.kind === "group" && !groupBy.includes(result.column))
      problems.push({ field: result.column.name, message: "is not in groupBy" });
  return problems;
}
