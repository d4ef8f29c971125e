import { type RoleView, requireFields, viewOf } from "../../access/index.ts";
import type { Variables } from "../document/index.ts";
import type { Member } from "./catalogue.ts";
import type { AskedList, ListArguments } from "./list-arguments.ts";
import type { JoinItem, ObjectSelection } from "./selection.ts";

/** What is the same for all requests that select the same. */
interface Reach {
  /** The lists below, in the order in which a statement takes them. */
  readonly lists: readonly ListBelow[];
  /** Roles that may read all that is selected. Models and policies never change while a service runs. */
  readonly readers: Set<string>;
}

interface ListBelow {
  readonly member: Member;
  readonly list: ListArguments;
}

const rememberedRoles = 100;
const reaches = new WeakMap<ObjectSelection, Reach>();

function reachOf(selection: ObjectSelection): Reach {
  const known = reaches.get(selection);
  if (known !== undefined) return known;
  const made = { lists: listsBelow(selection), readers: new Set<string>() };
  reaches.set(selection, made);
  return made;
}

function listsBelow({ items }: ObjectSelection): ListBelow[] {
  return items.flatMap((item) => {
    if (item.kind !== "join") return [];
    const { list, selection } = item;
    const own = list === null ? [] : [{ member: selection.member, list }];
    return [...own, ...listsBelow(selection)];
  });
}

/** What the lists below a selection are asked for, in the order in which its statement takes them. */
export function askedBelow(selection: ObjectSelection, variables: Variables): AskedList[] {
  return reachOf(selection).lists.map(({ list }) => list.read(variables));
}

/** What a role sees of a model. */
export function viewOfMember({ model, policy }: Member, role: string): RoleView {
  return viewOf(model, policy, role);
}

/**
 * Refuses, as 403 `PERMISSION_DENIED`, a selection that the role may not read somewhere: a field, a field that a join
 * goes over, a joined model, or a field that a list is filtered or ordered by. `asked` are its lists, in their order.
 */
export function requireReadable(selection: ObjectSelection, role: string, asked: readonly AskedList[]): void {
  const { lists, readers } = reachOf(selection);
  if (!readers.has(role)) {
    requireSelected(selection, role);
    if (readers.size < rememberedRoles) readers.add(role);
  }
  for (const [index, { member }] of lists.entries()) {
    const input = asked[index]?.input;
    if (input !== undefined) requireFields(viewOfMember(member, role), input);
  }
}

function requireSelected({ member, items }: ObjectSelection, role: string): void {
  const view = viewOfMember(member, role);
  const columns = items.flatMap((item) => (item.kind === "column" ? [item.column.name] : []));
  requireFields(view, { select_fields: columns });
  for (const item of items) if (item.kind === "join") requireJoin(item, view, role);
}

function requireJoin({ name, relation, selection }: JoinItem, view: RoleView, role: string): void {
  const { member } = selection;
  // The rows that come back tell the value of the column that refers to the other side.
  if (relation.kind === "belongs_to") requireFields(view, { select_fields: [relation.field] });
  else requireFields(viewOfMember(member, role), { select_fields: [relation.references] });
  if (member.entry !== null) member.admit("fetch", role, name);
  requireSelected(selection, role);
}
