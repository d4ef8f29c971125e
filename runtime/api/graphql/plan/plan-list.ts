import { listArguments, pageArguments } from "../../../../vocabulary/graphql/arguments.ts";
import { pageType } from "../../../../vocabulary/graphql/names.ts";
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
import type { GraphqlContext, ModelRegistry, PublicModel } from "./model-registry.ts";
import {
  checkConditions,
  type HookedRows,
  hookedRows,
  type ObjectSelection,
  refuseArguments,
  resolveSelection,
  SelectionAccess,
} from "./selection.ts";

/** A root field with rows of a model. */
interface RowsRoot {
  /** For cache keys. */
  readonly id: number;
  readonly key: string;
  readonly member: PublicModel;
  /** The operation whose rules, rate limit and hooks apply. */
  readonly operation: (variables: Variables) => ListOperation;
  readonly list: ListArguments;
  readonly selection: ObjectSelection;
  readonly access: SelectionAccess;
  /** For an after-hook. */
  readonly hooked: HookedRows;
  readonly problems: readonly Problem[];
}

/** A root field that returns rows. */
export interface ListRoot extends RowsRoot {
  readonly kind: "list";
}

/** A root field that returns a page of rows by cursor. */
export interface PageRoot extends RowsRoot {
  readonly kind: "page";
  /** The fields of the page in the order of the response. */
  readonly items: readonly PageItem[];
}

/** A response key of a page, and the field that it returns. */
interface PageItem {
  readonly key: string;
  readonly name: PageFieldName;
}

const pageFields = ["rows", "next", "previous", "has_more", "total", "estimated", "__typename"] as const;

export type PageFieldName = (typeof pageFields)[number];

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
  member: PublicModel,
  registry: ModelRegistry,
): ListRoot {
  const list = new ListArguments(member.model, field.args, listArguments);
  return { kind: "list", ...resolveRows(id, field, field, list, member, registry, []) };
}

export function resolvePage(
  id: number,
  field: Field,
  member: PublicModel,
  registry: ModelRegistry,
): PageRoot {
  const { model } = member;
  const problems: Problem[] = [];
  const { name, selection } = field;
  if (selection === null) problems.push({ field: name, message: "needs a selection of its fields" });
  const selected = selection ?? { fields: [], on: [] };
  checkConditions(selected, [pageType(model)], problems);
  const items = selected.fields.flatMap((one) => pageItem(one, problems));
  const rows = selected.fields.filter((one) => one.name === "rows");
  if (rows.length > 1) problems.push({ field: "rows", message: "can be selected only once" });
  const list = new ListArguments(model, field.args, pageArguments);
  return {
    kind: "page",
    items,
    ...resolveRows(id, field, rows[0] ?? null, list, member, registry, problems),
  };
}

function pageItem(field: Field, problems: Problem[]): PageItem[] {
  const { key } = field;
  const name = pageFields.find((one) => one === field.name);
  refuseArguments(field.args, problems);
  if (name === undefined) problems.push({ field: field.name, message: "is not a field" });
  else if (name !== "rows" && field.selection !== null)
    problems.push({ field: field.name, message: "has no subfields" });
  return name === undefined ? [] : [{ key, name }];
}

/** `rows` has the selection of the rows; null if they are not selected. */
function resolveRows(
  id: number,
  { key }: Field,
  rows: Field | null,
  list: ListArguments,
  member: PublicModel,
  registry: ModelRegistry,
  problems: Problem[],
): RowsRoot {
  const selection =
    rows === null ? { member, items: [] } : resolveRootSelection(rows, member, registry, problems);
  return {
    id,
    key,
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
  member: PublicModel,
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
  root: RowsRoot,
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
