import { type RoleView, requireFields, viewOf } from "../../access/index.ts";
import type { Problem } from "../../errors/index.ts";
import type { Variables } from "../document/index.ts";
import type { AskedList, ListArguments } from "./list-arguments.ts";
import type { RegisteredModel } from "./model-registry.ts";
import type { JoinItem, ObjectSelection } from "./object-selection.ts";

/** A list that is selected of other rows. */
interface ListBelow {
  readonly member: RegisteredModel;
  readonly list: ListArguments;
  /** Where the list stands in whose rows this one is selected; null for the rows of the root field. */
  readonly above: number | null;
}

const rememberedRoles = 100;

/** Default limits at the default depth come to this. Beyond it a few rows that join each other hold up the database. */
const mostRows = 10_000_000;

/** Who may select what a root field does, and what the lists in it are asked for. Made once for a selection. */
export class SelectionAccess {
  readonly #selection: ObjectSelection;
  /** In the order in which a statement takes them. */
  readonly #lists: readonly ListBelow[];
  /** Roles that may read all that is selected. Models and policies never change while a service runs. */
  readonly #readers = new Set<string>();

  constructor(selection: ObjectSelection) {
    this.#selection = selection;
    this.#lists = listsIn(selection, null, []);
  }

  /** What the lists are asked for, in the order in which a statement takes them. */
  read(variables: Variables): AskedList[] {
    return this.#lists.map(({ list }) => list.read(variables));
  }

  /**
   * Refuses, as 403 `PERMISSION_DENIED`, a selection that the role may not read somewhere: a field, a field that a join
   * goes over, a joined model, or a field that a list is filtered or ordered by. `asked` are its lists, in their order.
   */
  require(role: string, asked: readonly AskedList[]): void {
    if (!this.#readers.has(role)) {
      requireSelected(this.#selection, role);
      if (this.#readers.size < rememberedRoles) this.#readers.add(role);
    }
    for (const [index, { member }] of this.#lists.entries()) {
      const input = asked[index]?.input;
      if (input !== undefined) requireFields(viewOfMember(member, role), input);
    }
  }

  /**
   * What is wrong with the lists: their arguments, and limits that multiply to more rows than one statement should look
   * up.
   */
  problems(rootRows: number, asked: readonly AskedList[]): Problem[] {
    const problems = asked.flatMap((list) => list.problems);
    const rows: number[] = [];
    for (const [index, { above }] of this.#lists.entries()) {
      const around = above === null ? rootRows : (rows[above] ?? rootRows);
      rows.push(around * (asked[index]?.input.limit ?? 1));
    }
    if (Math.max(0, ...rows) > mostRows) {
      const message = `multiplies with those of the lists around it to more than ${mostRows} rows`;
      problems.push({ field: "limit", message });
    }
    return problems;
  }
}

/** Adds the lists of a selection to those before it. */
function listsIn({ items }: ObjectSelection, above: number | null, lists: ListBelow[]): ListBelow[] {
  for (const item of items) {
    if (item.kind !== "join") continue;
    const { list, selection } = item;
    const at = list === null ? above : lists.push({ member: selection.member, list, above }) - 1;
    listsIn(selection, at, lists);
  }
  return lists;
}

function viewOfMember({ model, policy }: RegisteredModel, role: string): RoleView {
  return viewOf(model, policy, role);
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
