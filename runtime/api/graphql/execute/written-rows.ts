import { isDeepStrictEqual } from "node:util";
import { exactText, isJsonObject, type JsonObject } from "../../../../vocabulary/json.ts";
import type { Queryable } from "../../../core/database/index.ts";
import { refuseProblems } from "../../../core/errors/index.ts";
import { parseStored } from "../../../core/text/index.ts";
import type { Changed, MutationResult, OperationContext, Returning } from "../../../data/operations/index.ts";
import { idJson, pageTooLarge } from "../../../data/sql/index.ts";
import type { Scope } from "../../../models/access/index.ts";
import type { GraphqlContext } from "../plan/model-registry.ts";
import type { AuthorizedMutation, MutationRoot, Selected } from "../plan/plan-mutation.ts";
import { rowJson, rowsByIds, StatementBuilder, wasOpen } from "../statements/object-sql.ts";
import { listsShape, listValues, readText } from "./read-text.ts";

/** How a mutation reads the selection of its written rows. */
export interface WrittenRows {
  /** For the writing statement. */
  readonly text?: Returning;
  /** Returns a JSON list in the order of ids. */
  readonly read: (changed: Changed, connection: Queryable) => Promise<string>;
}

/**
 * Without a selection, only ids. For removed rows, the text is from the writing statement; for others, from a
 * second statement. Of a row that the caller cannot fetch, before and after the write, only the id is read.
 */
export function writtenRows(
  root: MutationRoot,
  authorized: AuthorizedMutation,
  context: GraphqlContext,
): WrittenRows {
  const { selected, verb, member } = root;
  if (selected === null) return { read: async ({ ids }) => idRows(authorized.call, ids) };
  const removes = verb === "destroy" || (verb === "delete" && !member.model.softDelete);
  const rows = removes ? removedRows : fetchedRows;
  return rows(root, selected, authorized, context);
}

function idRows({ model, view }: OperationContext, ids: readonly string[]): string {
  const row = (id: string) => (view.unreadable.has("id") ? "{}" : `{"id":${idJson(model, id)}}`);
  return `[${ids.map(row).join()}]`;
}

function removedRows(
  root: MutationRoot,
  { selection, access }: Selected,
  { call, below }: AuthorizedMutation,
  context: GraphqlContext,
): WrittenRows {
  const text: Returning = {
    shape: shapeOf(root, below, context),
    values: listValues(below),
    sql: (alias, first) =>
      rowJson(selection, call.view.fetches, alias, new StatementBuilder(context, below, first)),
  };
  return {
    text,
    async read({ ids, rows }) {
      refuseProblems(access.tooManyRows(ids.length, below));
      const bytes = rows.reduce((sum, row) => sum + Buffer.byteLength(row), 0);
      // Rows that are too long have no text.
      if (rows.length < ids.length || bytes > context.mostBytes) throw pageTooLarge();
      return `[${rows.join()}]`;
    },
  };
}

function fetchedRows(
  root: MutationRoot,
  { selection, hooked, access }: Selected,
  { call, below }: AuthorizedMutation,
  context: GraphqlContext,
): WrittenRows {
  const wanted = hookSeesRow(root) ? hooked.selection : selection;
  // A created row is the caller's own input.
  const scope: Scope = root.verb === "create" ? { kind: "all" } : call.view.fetches;
  const isGuarded = scope.kind === "some";
  const make = () => rowsByIds(wanted, scope, new StatementBuilder(context, below, isGuarded ? 2 : 1));
  const shape = shapeOf(root, below, context);
  return {
    ...(isGuarded && { text: openBefore(root, scope, shape, context) }),
    async read({ ids, rows }, connection) {
      refuseProblems(access.tooManyRows(ids.length, below));
      const opened = isGuarded ? [ids.filter((_, index) => rows[index] === "t")] : [];
      return readText(call, connection, shape, make, [ids, ...opened, ...listValues(below)]);
    },
  };
}

/** Whether the caller could fetch the row before the write. */
function openBefore(
  { member }: MutationRoot,
  scope: Scope,
  shape: string,
  { registry }: GraphqlContext,
): Returning {
  return { shape, values: [], sql: (alias) => wasOpen(member, scope, alias, registry) };
}

function shapeOf(
  { id }: MutationRoot,
  below: AuthorizedMutation["below"],
  { registry, caller }: GraphqlContext,
): string {
  return `#${id} ${registry.roleKey(caller.principal)} ${listsShape(below)}`;
}

/** Whether an after-hook gets the row. A field that it masks must not be read again. */
function hookSeesRow({ verb, member }: MutationRoot): boolean {
  if (verb !== "create" && verb !== "upsert") return false;
  return member.entry.hooks[`after_${verb}`] !== undefined;
}

/**
 * The row of a create or upsert as JSON text, from a list with one row; null if it no longer exists. Changes
 * of the after-hook override the row, so a masked field stays masked.
 */
export function oneRow(root: MutationRoot, { written, answer }: MutationResult, list: string): string {
  if (!hookSeesRow(root)) return list === "[]" ? "null" : list.slice(1, -1);
  const rows: readonly JsonObject[] = parseStored(list);
  const after: unknown = parseStored(answer.data);
  const [row] = rows;
  if (row === undefined || !isJsonObject(after)) return "null";
  const changed = changedFields(parseStored(written), after);
  const shown = { ...row, ...changed };
  if (root.selected !== null) return exactText(root.selected.hooked.toAnswer(shown));
  return exactText(Object.hasOwn(row, "id") ? { id: shown["id"] } : {});
}

/** The fields that a hook changed; null if it removed them. */
function changedFields(before: JsonObject, after: JsonObject): JsonObject {
  const [was, is] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const names = new Set([...was.keys(), ...is.keys()]);
  const differs = (name: string) => !isDeepStrictEqual(was.get(name), is.get(name));
  return Object.fromEntries([...names].filter(differs).map((name) => [name, is.get(name) ?? null]));
}
