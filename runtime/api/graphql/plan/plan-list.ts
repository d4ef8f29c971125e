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
import { ListArguments } from "./list-arguments.ts";
import type { GraphqlContext, ModelRegistry, PublicMember } from "./model-registry.ts";
import {
  type HookedRows,
  hookedRows,
  type ObjectSelection,
  resolveSelection,
  SelectionAccess,
} from "./selection.ts";

/** A root field that returns rows of a model. */
export interface ListRoot {
  readonly kind: "list";
  /** For cache keys. */
  readonly id: number;
  readonly key: string;
  readonly member: PublicMember;
  /** The operation whose rules, rate limit and hooks apply. */
  readonly operation: (variables: Variables) => ListOperation;
  readonly list: ListArguments;
  readonly selection: ObjectSelection;
  readonly access: SelectionAccess;
  /** For an after-hook. */
  readonly hooked: HookedRows;
  readonly problems: readonly Problem[];
}

/** A list that the caller may read. */
export interface AuthorizedList {
  readonly call: OperationContext;
  readonly grant: Grant;
  readonly operation: ListOperation;
  readonly input: ListInput;
  /** The input of joined lists, in the order of the statement. */
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

/** A root field needs a selection. */
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
 * Authorizes a list: the operation, each named field, then the input. Errors: 403 `PERMISSION_DENIED`, 400
 * `VALIDATION_ERROR`.
 */
export function authorizeList(
  root: ListRoot,
  { services, caller, variables }: GraphqlContext,
): AuthorizedList {
  const { member, access } = root;
  const { principal } = caller;
  const { input, problems } = root.list.read(variables);
  const below = access.read(variables);
  const operation = root.operation(variables);
  const grant = member.authorize(operation, principal, member.model.key);
  const call = operationContext(services, member.entry, caller);
  requireFields(call.view, input);
  access.require(principal, below);
  const wrong = [...root.problems, ...problems, ...access.problems(input.limit, below)];
  // A search without searchable fields is 403 too.
  searchedFields(call, operation, input);
  refuseProblems(wrong);
  return { call, grant, operation, input, below: below.map((list) => list.input) };
}
