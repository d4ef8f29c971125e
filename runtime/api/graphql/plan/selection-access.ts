import type { Problem } from "../../../core/errors/index.ts";
import type { ListInput } from "../../../data/operations/index.ts";
import { type RoleView, requireFields, type Standing, viewOf } from "../../../models/access/index.ts";
import type { Variables } from "../document/index.ts";
import type { AskedList, ListArguments } from "./list-arguments.ts";
import type { ModelRegistry, RegisteredModel } from "./model-registry.ts";
import type { JoinItem, ObjectSelection } from "./object-selection.ts";

/** A list that is selected of other rows. */
interface ListBelow {
  readonly member: RegisteredModel;
  readonly list: ListArguments;
}

/** Rows that one root field can ask for (docs/graphql.md#limits). More keep the database busy for seconds. */
const mostRows = 100_000;

/** Who may select what a root field does, and what the lists in it are asked for. Made once for a selection. */
export class SelectionAccess {
  readonly #selection: ObjectSelection;
  /** In the order in which a statement takes them. */
  readonly #lists: readonly ListBelow[];
  readonly #registry: ModelRegistry;
  /** Keys of roles that may read all that is selected. Models and policies never change while a service runs. */
  readonly #readers = new Set<string>();

  constructor(selection: ObjectSelection, registry: ModelRegistry) {
    this.#selection = selection;
    this.#registry = registry;
    this.#lists = listsIn(selection, []);
  }

  /** What the lists are asked for, in the order in which a statement takes them. */
  read(variables: Variables): AskedList[] {
    return this.#lists.map(({ list }) => list.read(variables));
  }

  /**
   * Refuses, as 403 `PERMISSION_DENIED`, a selection that the role may not read somewhere: a field, a field that a join
   * goes over, a joined model, or a field that a list is filtered or ordered by. `asked` are its lists, in their order.
   */
  require(caller: Standing, asked: readonly AskedList[]): void {
    const key = this.#registry.roleKey(caller);
    if (!this.#readers.has(key)) {
      requireSelected(this.#selection, caller);
      this.#readers.add(key);
    }
    for (const [index, { member }] of this.#lists.entries()) {
      const input = asked[index]?.input;
      if (input !== undefined) requireFields(viewOfMember(member, caller), input);
    }
  }

  /** What is wrong with the lists: their arguments, and limits that come to too many rows. */
  problems(rootRows: number, asked: readonly AskedList[]): Problem[] {
    return [
      ...asked.flatMap((list) => list.problems),
      ...this.tooManyRows(
        rootRows,
        asked.map((list) => list.input),
      ),
    ];
  }

  /**
   * The problem of asking for too many rows, if so many rows of the root field do. Nested lists multiply, selections
   * next to each other add, and a `has_one` or `belongs_to` is one row.
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

/** Adds the lists of a selection to those before it. */
function listsIn({ items }: ObjectSelection, lists: ListBelow[]): ListBelow[] {
  for (const item of items) {
    if (item.kind !== "join") continue;
    const { list, selection } = item;
    if (list !== null) lists.push({ member: selection.member, list });
    listsIn(selection, lists);
  }
  return lists;
}

function viewOfMember({ model, policy }: RegisteredModel, caller: Standing): RoleView {
  return viewOf(model, policy, caller);
}

function requireSelected({ member, items }: ObjectSelection, caller: Standing): void {
  const view = viewOfMember(member, caller);
  const columns = items.flatMap((item) => (item.kind === "column" ? [item.column.name] : []));
  requireFields(view, { select_fields: columns });
  for (const item of items) if (item.kind === "join") requireJoin(item, view, caller);
}

function requireJoin({ name, relation, selection }: JoinItem, view: RoleView, caller: Standing): void {
  const { member } = selection;
  // The rows that come back tell the value of the column that refers to the other side.
  if (relation.kind === "belongs_to") requireFields(view, { select_fields: [relation.field] });
  else requireFields(viewOfMember(member, caller), { select_fields: [relation.references] });
  if (member.entry !== null) member.admit("fetch", caller, name);
  requireSelected(selection, caller);
}
