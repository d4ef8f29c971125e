import { listArguments } from "../../../../vocabulary/graphql/arguments.ts";
import { type Problem, refuseProblems } from "../../../core/errors/index.ts";
import {
  type ListInput,
  type ListOperation,
  type OperationContext,
  operationContext,
  searchedFields,
} from "../../../data/operations/index.ts";
import { type Grant, requireFields } from "../../../models/access/index.ts";
import type { Field, Variables } from "../document/index.ts";
import type { GraphqlContext } from "./graphql-context.ts";
import { type HookedRows, hookedRows } from "./hooked-rows.ts";
import { ListArguments } from "./list-arguments.ts";
import type { ModelRegistry, PublicMember } from "./model-registry.ts";
import { type ObjectSelection, resolveSelection } from "./object-selection.ts";
import { SelectionAccess } from "./selection-access.ts";

/** A root field that answers rows of a model. */
export interface ListRoot {
  readonly kind: "list";
  /** Stands for the field in the keys of plans. */
  readonly id: number;
  readonly key: string;
  readonly member: PublicMember;
  /** The operation whose rules, limit and hooks the list has. */
  readonly operation: (variables: Variables) => ListOperation;
  readonly list: ListArguments;
  readonly selection: ObjectSelection;
  readonly access: SelectionAccess;
  /** The rows as an after-hook sees them. */
  readonly hooked: HookedRows;
  readonly problems: readonly Problem[];
}

/** A list that its caller may ask for, with what its arguments say. */
export interface AdmittedList {
  readonly call: OperationContext;
  readonly grant: Grant;
  readonly operation: ListOperation;
  readonly input: ListInput;
  /** What its joined lists are asked for, in the order in which the statement takes them. */
  readonly below: readonly ListInput[];
}

export function resolveList(
  id: number,
  field: Field,
  member: PublicMember,
  registry: ModelRegistry,
): ListRoot {
  const problems: Problem[] = [];
  const selection = resolveRootSelection(field, member, registry, problems);
  const list = new ListArguments(member.model, field.args, listArguments);
  return {
    kind: "list",
    id,
    key: field.key,
    member,
    operation: (variables) => (list.searches(variables) ? "search" : "fetch"),
    list,
    selection,
    access: new SelectionAccess(selection, registry),
    hooked: hookedRows(selection),
    problems,
  };
}

/** The selection of a root field, which must have one. */
function resolveRootSelection(
  { name, selection }: Field,
  member: PublicMember,
  registry: ModelRegistry,
  problems: Problem[],
): ObjectSelection {
  if (selection !== null) return resolveSelection(member, selection, registry, problems);
  problems.push({ field: name, message: "needs a selection of its fields" });
  return { member, items: [] };
}

/**
 * Admits a caller to a list: first the operation, then each field that is named anywhere, then what is wrong. Errors: 403
 * `PERMISSION_DENIED`, 400 `VALIDATION_ERROR`.
 */
export function admitList(root: ListRoot, { services, caller, variables }: GraphqlContext): AdmittedList {
  const { member, access } = root;
  const { principal } = caller;
  const { input, problems } = root.list.read(variables);
  const below = access.read(variables);
  const operation = root.operation(variables);
  const grant = member.admit(operation, principal, member.model.key);
  const call = operationContext(services, member.entry, caller);
  requireFields(call.view, input);
  access.require(principal, below);
  const wrong = [...root.problems, ...problems, ...access.problems(input.limit, below)];
  // Where nothing can be searched that is a 403 too.
  searchedFields(call, operation, input);
  refuseProblems(wrong);
  return { call, grant, operation, input, below: below.map((list) => list.input) };
}
