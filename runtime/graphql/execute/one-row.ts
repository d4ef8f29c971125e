import { isJsonObject, type JsonObject } from "../../../vocabulary/json.ts";
import type { MutationResult } from "../../operations/mutation.ts";
import { hookSeesRow, type MutationRoot } from "../plan/plan-mutation.ts";

/**
 * The one row of a create or upsert as JSON text, from a list of it. What the after-hook changed in its value wins over
 * what was fetched: a field that it masks is masked here too. Null where the row is gone already.
 */
export function oneRow(root: MutationRoot, { written, answer }: MutationResult, list: string): string {
  if (!hookSeesRow(root)) return list === "[]" ? "null" : list.slice(1, -1);
  const rows: readonly JsonObject[] = JSON.parse(list);
  const after: unknown = JSON.parse(answer.data);
  const [row] = rows;
  if (row === undefined || !isJsonObject(after)) return "null";
  const changed = changedFields(JSON.parse(written), after);
  const shown = { ...row, ...changed };
  if (root.selected !== null) return JSON.stringify(root.selected.hooked.toAnswer(shown));
  return JSON.stringify(Object.hasOwn(row, "id") ? { id: shown["id"] } : {});
}

/** The fields of a value that a hook changed, with what it made of them: null where it took them out. */
function changedFields(before: JsonObject, after: JsonObject): JsonObject {
  const [was, is] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const names = new Set([...was.keys(), ...is.keys()]);
  const differs = (name: string) => JSON.stringify(was.get(name)) !== JSON.stringify(is.get(name));
  return Object.fromEntries([...names].filter(differs).map((name) => [name, is.get(name) ?? null]));
}
