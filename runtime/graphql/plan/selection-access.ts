import { type RoleView, requireFields, viewOf } from "../../access/index.ts";
import type { Problem } from "../../errors/index.ts";
import type { Variables } from "../document/index.ts";
import type { AskedList, ListArguments } from "./list-arguments.ts";
import type { RegisteredModel } from "./model-registry.ts";
import type { JoinItem, ObjectSelection } from "./object-selection.ts";

/** What is the same for all requests that select the same. */
interface SelectionAccess {
  /** The lists below, in the order in which a statement takes them. */
  readonly lists: readonly ListBelow[];
  /** Roles that may read all that is selected. Models and policies never change while a service runs. */
  readonly readers: Set<string>;
}

interface ListBelow {
  readonly member: RegisteredModel;
  readonly list: ListArguments;
  /** Where the list stands in whose rows this one is selected; null for the rows of the root field. */
  readonly above: number | null;
}

const rememberedRoles = 100;
const reaches = new WeakMap<ObjectSelection, SelectionAccess>();

function reachOf(selection: ObjectSelection): SelectionAccess {
  const known = reaches.get(selection);
  if (known !== undefined) return known;
  const lists: ListBelow[] = [];
  addLists(lists, selection, null);
  const made = { lists, readers: new Set<string>() };
  reaches.set(selection, made);
  return made;
}

function addLists(lists: ListBelow[], { items }: ObjectSelection, above: number | null): void {
  for (const item of items) {
    if (item.kind !== "join") continue;
    const { list, selection } = item;
    const at = list === null ? above : lists.push({ member: selection.member, list, above }) - 1;
    addLists(lists, selection, at);
  }
}

/** What the lists below a selection are asked for, in the order in which its statement takes them. */
export function askedBelow(selection: ObjectSelection, variables: Variables): AskedList[] {
  return reachOf(selection).lists.map(({ list }) => list.read(variables));
}

/** What a role sees of a model. */
export function viewOfMember({ model, policy }: RegisteredModel, role: string): RoleView {
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

/** Default limits at the default depth come to this. Beyond it a few rows that join each other hold up the database. */
const mostRows = 10_000_000;

/** Reports lists in lists whose limits multiply to more rows than one statement should look up. */
export function tooManyRows(
  selection: ObjectSelection,
  rootRows: number,
  asked: readonly AskedList[],
): Problem[] {
  const rows: number[] = [];
  for (const [index, { above }] of reachOf(selection).lists.entries()) {
    const around = above === null ? rootRows : (rows[above] ?? rootRows);
    rows.push(around * (asked[index]?.input.limit ?? 1));
  }
  if (Math.max(0, ...rows) <= mostRows) return [];
  return [
    { field: "limit", message: `multiplies with those of the lists around it to more than ${mostRows} rows` },
  ];
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
