import { type Grant, requireFields } from "../../access/index.ts";
import { type Problem, refuseProblems } from "../../errors/index.ts";
import type { ListInput } from "../../operations/input/list-input.ts";
import { type ListOperation, searchedFields } from "../../operations/list.ts";
import type { OperationContext } from "../../operations/operation-context.ts";
import type { Field, Variables } from "../document/index.ts";
import { type GraphqlContext, operationContextOf } from "./graphql-context.ts";
import { type HookedRows, hookedRows } from "./hooked-rows.ts";
import { ListArguments } from "./list-arguments.ts";
import type { ModelRegistry, PublicMember } from "./model-registry.ts";
import { type ObjectSelection, resolveSelection } from "./object-selection.ts";
import { askedBelow, requireReadable, tooManyRows } from "./selection-access.ts";

/** A root field that answers rows of a model. */
export interface ListRoot {
  readonly kind: "list";
  /** Stands for the field in the keys of plans. */
  readonly id: number;
  readonly key: string;
  readonly member: PublicMember;
  readonly list: ListArguments;
  readonly selection: ObjectSelection;
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
  catalogue: ModelRegistry,
): ListRoot {
  const problems: Problem[] = [];
  const selection = resolveRootSelection(field, member, catalogue, problems);
  const list = new ListArguments(member.model, field.args, true);
  return {
    kind: "list",
    id,
    key: field.key,
    member,
    list,
    selection,
    hooked: hookedRows(selection),
    problems,
  };
}

/** The selection of a root field, which must have one. */
function resolveRootSelection(
  { name, selection }: Field,
  member: PublicMember,
  catalogue: ModelRegistry,
  problems: Problem[],
): ObjectSelection {
  if (selection !== null) return resolveSelection(member, selection, catalogue, problems);
  problems.push({ field: name, message: "needs a selection of its fields" });
  return { member, items: [] };
}

/** The operation whose rules, limit and hooks a list has. */
export function listOperation({ list }: ListRoot, variables: Variables): ListOperation {
  return list.searches(variables) ? "search" : "fetch";
}

/**
 * Admits a caller to a list: first the operation, then each field that is named anywhere, then what is wrong. Errors: 403
 * `PERMISSION_DENIED`, 400 `VALIDATION_ERROR`.
 */
export function admitList(root: ListRoot, asking: GraphqlContext): AdmittedList {
  const { member, selection } = root;
  const { variables, principal } = asking;
  const { input, problems } = root.list.read(variables);
  const below = askedBelow(selection, variables);
  const operation = listOperation(root, variables);
  const grant = member.admit(operation, principal.role, member.model.key);
  const call = operationContextOf(asking, member);
  requireFields(call.view, input);
  requireReadable(selection, principal.role, below);
  searchedFields(member.model, call.view, operation, input);
  const rows = tooManyRows(selection, input.limit, below);
  refuseProblems([...root.problems, ...problems, ...below.flatMap((list) => list.problems), ...rows]);
  return { call, grant, operation, input, below: below.map((list) => list.input) };
}
