import { collectionArguments } from "../../../../vocabulary/graphql/arguments.ts";
import { writtenType } from "../../../../vocabulary/graphql/names.ts";
import { maxIdentifierLength } from "../../../../vocabulary/identifiers.ts";
import type { Problem } from "../../../core/errors/index.ts";
import type { ListInput } from "../../../data/operations/index.ts";
import { type RoleView, requireFields, type Subject, viewOf } from "../../../models/access/index.ts";
import { type Column, columnsOf, type Model, type Relation } from "../../../models/index.ts";
import type { Argument, Field, Selection, Variables } from "../document/index.ts";
import { ListArguments, type RequestedList } from "./list-arguments.ts";
import type { ModelRegistry, RegisteredModel } from "./model-registry.ts";

/** A selection on one model. It depends only on the document, not on the caller. */
export interface ObjectSelection {
  readonly member: RegisteredModel;
  readonly items: readonly Item[];
}

export type Item = ColumnItem | TypenameItem | JoinItem;

interface ColumnItem {
  readonly kind: "column";
  readonly key: string;
  readonly column: Column;
}

interface TypenameItem {
  readonly kind: "typename";
  readonly key: string;
}

export interface JoinItem {
  readonly kind: "join";
  readonly key: string;
  /** As in the document. */
  readonly name: string;
  readonly relation: Relation;
  readonly selection: ObjectSelection;
  /** For a `has_many`. */
  readonly list: ListArguments | null;
}

/** Adds errors to `problems`, because missing permissions are reported first. */
export function resolveSelection(
  member: RegisteredModel,
  selection: Selection,
  registry: ModelRegistry,
  problems: Problem[],
): ObjectSelection {
  const { model } = member;
  checkConditions(selection, [model.key, model.typeName, writtenType(model)], problems);
  const items = selection.fields.flatMap((field) => resolveItem(model, field, registry, problems));
  return { member, items };
}

/** Rejects fragments on other types, which can never match. */
export function checkConditions({ on }: Selection, types: readonly string[], problems: Problem[]): void {
  for (const type of on) {
    if (!types.includes(type))
      problems.push({ field: "query", message: `a fragment on ${type} is not possible here` });
  }
}

export function refuseArguments(args: readonly Argument[], problems: Problem[]): void {
  for (const { name } of args) problems.push({ field: name, message: "is not an argument here" });
}

function resolveItem(model: Model, field: Field, registry: ModelRegistry, problems: Problem[]): Item[] {
  const { key, name, args, selection } = field;
  if (key.length > maxIdentifierLength)
    problems.push({ field: key, message: `is longer than ${maxIdentifierLength} characters` });
  const relation = selection === null ? undefined : relationOf(model, name);
  if (relation !== undefined && selection !== null)
    return [resolveJoin(field, relation, selection, registry, problems)];
  refuseArguments(args, problems);
  const column = name === "__typename" ? undefined : columnsOf(model).get(name);
  const isLeaf = column !== undefined || name === "__typename";
  if (isLeaf && selection !== null) problems.push({ field: name, message: "has no subfields" });
  if (isLeaf) return [column === undefined ? { kind: "typename", key } : { kind: "column", key, column }];
  const message = Object.hasOwn(model.relations, name) ? "needs a selection of its fields" : "is not a field";
  problems.push({ field: name, message });
  return [];
}

/** A relation by name, or a `belongs_to` by its field. */
function relationOf(model: Model, name: string): Relation | undefined {
  if (Object.hasOwn(model.relations, name)) return model.relations[name];
  return Object.values(model.relations).find(({ kind, field }) => kind === "belongs_to" && field === name);
}

function resolveJoin(
  { key, name, args }: Field,
  relation: Relation,
  selection: Selection,
  registry: ModelRegistry,
  problems: Problem[],
): JoinItem {
  const joined = registry.member(relation.model);
  const isList = relation.kind === "has_many";
  if (!isList) refuseArguments(args, problems);
  return {
    kind: "join",
    key,
    name,
    relation,
    selection: resolveSelection(joined, selection, registry, problems),
    list: isList ? new ListArguments(joined.model, args, collectionArguments) : null,
  };
}

interface ListBelow {
  readonly member: RegisteredModel;
  readonly list: ListArguments;
}

/**
 * The maximum of rows of one root field (docs/graphql.md#limits). More would keep the database busy for
 * seconds.
 */
const mostRows = 100_000;

/** Checks access to the selection of a root field, and reads the input of its lists. */
export class SelectionAccess {
  readonly #selection: ObjectSelection;
  /** In the order of the statement. */
  readonly #lists: readonly ListBelow[];
  readonly #registry: ModelRegistry;
  /** Keys of roles that may read the whole selection. Models and policies never change. */
  readonly #readers = new Set<string>();

  constructor(selection: ObjectSelection, registry: ModelRegistry) {
    this.#selection = selection;
    this.#registry = registry;
    this.#lists = listsIn(selection, []);
  }

  /** Reads the selection's lists, in the order in which the statement has them. */
  read(variables: Variables): RequestedList[] {
    return this.#lists.map(({ list }) => list.read(variables));
  }

  /**
   * Rejects, as 403 `PERMISSION_DENIED`, a selection with a forbidden field, joined model, or field that a
   * join, a filter or an order uses. `requested` are its lists, in order.
   */
  require(caller: Subject, requested: readonly RequestedList[]): void {
    const key = this.#registry.roleKey(caller);
    if (!this.#readers.has(key)) {
      requireSelected(this.#selection, caller);
      this.#readers.add(key);
    }
    for (const [index, { member }] of this.#lists.entries()) {
      const input = requested[index]?.input;
      if (input !== undefined) requireFields(viewOfMember(member, caller), input);
    }
  }

  /** Errors of the lists' arguments, and of limits that add up to too many rows. */
  problems(rootRows: number, requested: readonly RequestedList[]): Problem[] {
    return [
      ...requested.flatMap((list) => list.problems),
      ...this.tooManyRows(
        rootRows,
        requested.map((list) => list.input),
      ),
    ];
  }

  /**
   * The error for too many rows. Nested lists multiply, neighbouring lists add up, and a `has_one` or
   * `belongs_to` is one row.
   */
  tooManyRows(rootRows: number, lists: readonly ListInput[]): Problem[] {
    const inputs = lists.values();
    const rowsOf = ({ items }: ObjectSelection): number =>
      items.reduce((rows, item) => {
        if (item.kind !== "join") return rows;
        const limit = item.list === null ? 1 : (inputs.next().value?.limit ?? 1);
        return rows + limit * Math.max(1, rowsOf(item.selection));
      }, 0);
    if (rootRows * rowsOf(this.#selection) <= mostRows) return [];
    return [{ field: "limit", message: `asks for more than ${mostRows} rows: nested lists multiply` }];
  }
}

/** Appends the lists of a selection. */
function listsIn({ items }: ObjectSelection, lists: ListBelow[]): ListBelow[] {
  for (const item of items) {
    if (item.kind !== "join") continue;
    const { list, selection } = item;
    if (list !== null) lists.push({ member: selection.member, list });
    listsIn(selection, lists);
  }
  return lists;
}

function viewOfMember({ model, policy }: RegisteredModel, caller: Subject): RoleView {
  return viewOf(model, policy, caller);
}

function requireSelected({ member, items }: ObjectSelection, caller: Subject): void {
  const view = viewOfMember(member, caller);
  const columns = items.flatMap((item) => (item.kind === "column" ? [item.column.name] : []));
  requireFields(view, { select_fields: columns });
  for (const item of items) if (item.kind === "join") requireJoin(item, view, caller);
}

function requireJoin({ name, relation, selection }: JoinItem, view: RoleView, caller: Subject): void {
  const { member } = selection;
  // Joined rows reveal the column that references them.
  if (relation.kind === "belongs_to") requireFields(view, { select_fields: [relation.field] });
  else requireFields(viewOfMember(member, caller), { select_fields: [relation.references] });
  if (member.entry !== null) member.authorize("fetch", caller, name);
  requireSelected(selection, caller);
}

/** A selection for an after-hook, and how its rows become the response. */
export interface HookedRows {
  readonly selection: ObjectSelection;
  readonly toAnswer: (row: Readonly<Record<string, unknown>>) => Record<string, unknown>;
}

/**
 * Uses the names of columns, so that no alias hides a field from a hook that masks it. Joins are `__0`, `__1`
 * and so on, which cannot be names of fields.
 */
export function hookedRows(selection: ObjectSelection): HookedRows {
  const { items, member } = selection;
  const nameOf = (item: Item, index: number) => (item.kind === "column" ? item.column.name : `__${index}`);
  const named = new Map(items.map((item, index) => [nameOf(item, index), item]));
  return {
    selection: { member, items: [...named].map(([key, item]) => ({ ...item, key })) },
    toAnswer(row) {
      // A field can be named `constructor`, which every object has.
      const values = new Map(Object.entries(row));
      const answered = (item: Item, index: number) =>
        item.kind === "typename" ? member.model.key : (values.get(nameOf(item, index)) ?? null);
      return Object.fromEntries(items.map((item, index) => [item.key, answered(item, index)]));
    },
  };
}
