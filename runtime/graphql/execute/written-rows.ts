import type { Queryable } from "../../database/index.ts";
import { pageValues } from "../../operations/list.ts";
import type { Changed, Returning } from "../../operations/mutation.ts";
import type { OperationContext } from "../../operations/operation-context.ts";
import { idJson, pageTooLarge } from "../../sql/rows-json.ts";
import { plan } from "../../sql/sql.ts";
import type { GraphqlContext } from "../plan/graphql-context.ts";
import {
  type AdmittedMutation,
  hookSeesRow,
  type MutationRoot,
  type Selected,
} from "../plan/plan-mutation.ts";
import { rowJson, rowsByIds } from "../statements/object-sql.ts";
import { StatementBuilder } from "../statements/statement-builder.ts";
import { readText, shapeOf } from "./run-list.ts";

/** How a mutation comes to what is selected of the rows that it wrote. */
export interface WrittenRows {
  /** What the statement that writes tells of each row. */
  readonly text?: Returning;
  /** The rows as a JSON list, in the order of their ids. */
  readonly read: (changed: Changed, connection: Queryable) => Promise<string>;
}

/** Their ids where nothing is selected, as they were where nothing is left of them, and else by a statement of its own. */
export function writtenRows(
  root: MutationRoot,
  admitted: AdmittedMutation,
  asking: GraphqlContext,
): WrittenRows {
  const { selected, verb, member } = root;
  if (selected === null) return { read: async ({ ids }) => idRows(admitted.call, ids) };
  const removes = verb === "destroy" || (verb === "delete" && !member.model.softDelete);
  const rows = removes ? removedRows : fetchedRows;
  return rows(root, selected, admitted, asking);
}

function idRows({ model, view }: OperationContext, ids: readonly string[]): string {
  const row = (id: string) => (view.unreadable.has("id") ? "{}" : `{"id":${idJson(model.id, id)}}`);
  return `[${ids.map(row).join()}]`;
}

function removedRows(
  root: MutationRoot,
  { selection }: Selected,
  { below }: AdmittedMutation,
  asking: GraphqlContext,
): WrittenRows {
  const text: Returning = {
    shape: shapeOfRows(root, below, asking),
    values: below.flatMap((list) => pageValues(list, [])),
    sql: (alias, first) => rowJson(selection, alias, new StatementBuilder(asking, below, first)),
  };
  return {
    text,
    async read({ ids, rows }) {
      const bytes = rows.reduce((sum, row) => sum + Buffer.byteLength(row), 0);
      // Of a row that is too long there is no text.
      if (rows.length < ids.length || bytes > asking.mostBytes) throw pageTooLarge();
      return `[${rows.join()}]`;
    },
  };
}

function fetchedRows(
  root: MutationRoot,
  { selection, hooked }: Selected,
  { call, below }: AdmittedMutation,
  asking: GraphqlContext,
): WrittenRows {
  const { services } = asking;
  const wanted = hookSeesRow(root) ? hooked.selection : selection;
  const values = below.flatMap((list) => pageValues(list, []));
  return {
    read({ ids }, connection) {
      const statement = services.plans.of(shapeOfRows(root, below, asking), () =>
        plan(rowsByIds(wanted, new StatementBuilder(asking, below, 1))),
      );
      return readText(call, connection, statement, [ids, ...values]);
    },
  };
}

function shapeOfRows(
  { id }: MutationRoot,
  below: AdmittedMutation["below"],
  { catalogue, principal }: GraphqlContext,
): string {
  return `#${id} ${catalogue.roleKey(principal.role)} ${shapeOf(below)}`;
}
