import { collectionArguments } from "../../../../vocabulary/graphql/arguments.ts";
import { maxIdentifierLength } from "../../../../vocabulary/identifiers.ts";
import type { Problem } from "../../../core/errors/index.ts";
import { type Column, columnsOf, type Model, type Relation } from "../../../models/index.ts";
import type { Argument, Field, Selection } from "../document/index.ts";
import { ListArguments } from "./list-arguments.ts";
import type { ModelRegistry, RegisteredModel } from "./model-registry.ts";

/** What is selected of one model, in the order of the answer. It depends on the document alone, not on who asks. */
export interface ObjectSelection {
  readonly member: RegisteredModel;
  readonly items: readonly Item[];
}

/** A key of the answer and what stands under it. */
export type Item = ColumnItem | TypenameItem | JoinItem;

export interface ColumnItem {
  readonly kind: "column";
  readonly key: string;
  readonly column: Column;
}

export interface TypenameItem {
  readonly kind: "typename";
  readonly key: string;
}

export interface JoinItem {
  readonly kind: "join";
  readonly key: string;
  /** As the document calls the relation. */
  readonly name: string;
  readonly relation: Relation;
  readonly selection: ObjectSelection;
  /** Of a `has_many`. */
  readonly list: ListArguments | null;
}

/** Resolves the selection of a model's rows. What is wrong goes to `problems`: who may not ask at all is told that first. */
export function resolveSelection(
  member: RegisteredModel,
  selection: Selection,
  registry: ModelRegistry,
  problems: Problem[],
): ObjectSelection {
  checkConditions(selection, [member.model.key, member.model.typeName], problems);
  const items = selection.fields.flatMap((field) => resolveItem(member.model, field, registry, problems));
  return { member, items };
}

/** Refuses fragments on other types, since none of their fields could be meant. */
export function checkConditions({ on }: Selection, types: readonly string[], problems: Problem[]): void {
  for (const type of on) {
    if (!types.includes(type))
      problems.push({ field: "query", message: `a fragment on ${type} cannot stand here` });
  }
}

/** Refuses arguments where none are known. */
export function refuseArguments(args: readonly Argument[], problems: Problem[]): void {
  for (const { name } of args) problems.push({ field: name, message: "is no argument here" });
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
  if (isLeaf && selection !== null) problems.push({ field: name, message: "has no fields of its own" });
  if (isLeaf) return [column === undefined ? { kind: "typename", key } : { kind: "column", key, column }];
  const message = Object.hasOwn(model.relations, name) ? "needs a selection of its fields" : "is not a field";
  problems.push({ field: name, message });
  return [];
}

/** A relation by its join name, or a `belongs_to` by the name of its field (decisions, part 3). */
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
