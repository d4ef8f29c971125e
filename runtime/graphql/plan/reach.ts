import { type RoleView, requireFields, viewOf } from "../../access/index.ts";
import type { Variables } from "../document/index.ts";
import type { Member } from "./catalogue.ts";
import type { AskedList } from "./list-arguments.ts";
import type { JoinItem, ObjectSelection } from "./selection.ts";

/** What the lists below a selection are asked for, in the order in which its statement takes them. */
export function askedBelow({ items }: ObjectSelection, variables: Variables): AskedList[] {
  return items.flatMap((item) => {
    if (item.kind !== "join") return [];
    const own = item.list === null ? [] : [item.list.read(variables)];
    return [...own, ...askedBelow(item.selection, variables)];
  });
}

/** What a role sees of a model. */
export function viewOfMember({ model, policy }: Member, role: string): RoleView {
  return viewOf(model, policy, role);
}

/**
 * Refuses, as 403 `PERMISSION_DENIED`, a selection that the role may not read somewhere: a field, a field that a join
 * goes over or that a list is filtered or ordered by, or a joined model. `asked` are its lists, in their order.
 */
export function requireReadable(
  { member, items }: ObjectSelection,
  role: string,
  asked: Iterator<AskedList>,
): void {
  const view = viewOfMember(member, role);
  const columns = items.flatMap((item) => (item.kind === "column" ? [item.column.name] : []));
  requireFields(view, { select_fields: columns });
  for (const item of items) if (item.kind === "join") requireJoin(item, view, role, asked);
}

function requireJoin(
  { relation, selection, list }: JoinItem,
  view: RoleView,
  role: string,
  asked: Iterator<AskedList>,
): void {
  const { member } = selection;
  const joined = viewOfMember(member, role);
  // The rows that come back tell the value of the column that refers to the other side.
  if (relation.kind === "belongs_to") requireFields(view, { select_fields: [relation.field] });
  else requireFields(joined, { select_fields: [relation.references] });
  if (member.entry !== null) member.admit("fetch", role);
  const own = list === null ? undefined : asked.next();
  if (own !== undefined && own.done !== true) requireFields(joined, own.value.input);
  requireReadable(selection, role, asked);
}
