import { isOnWrite } from "../../../vocabulary/fields/presets.ts";
import { allRows } from "../../emit/views/matrix-layout.ts";
import { type Access, gateAdmits, gateOf, type MatrixModel, rowsOfRole } from "./access-matrix.ts";
import type { AccessSide } from "./opened-causes.ts";

/** A field with a changed preset. Rules on the field can open its new rows to other callers. */
export interface OpenedPreset {
  readonly model: string;
  readonly field: string;
  /** As the matrix prints it: `{user_id}`, `{user_id} on write`; null for none. */
  readonly preset: string | null;
  readonly before: string | null;
  /** The roles whose rows get another value, as the matrix spells them. */
  readonly roles: readonly string[];
  /** Operations whose rules could open these rows to other callers: `tasks.fetch`. */
  readonly rules: readonly string[];
}

/** Operations that make rows. */
const creating = ["create", "upsert:insert"];

/** Operations that set presets on write. */
const writing = [...creating, "update", "upsert:update", "restore"];

/**
 * Presets that were changed, added or removed. Left out if no rule uses the field, or if a role writes no such rows on one of the sides
 * or could already send any value. If a role can send a value now, the change of its gate is reported instead.
 */
export function widenedPresets(was: AccessSide, is: AccessSide, matrix: Access): OpenedPreset[] {
  const former = new Map([...was.side.fields].map((name) => [was.side.nameOf(name), name]));
  return [...is.side.fields].flatMap((field): OpenedPreset[] => {
    const known = former.get(field);
    if (known === undefined) return [];
    const before = was.access.presets.get(known) ?? null;
    const preset = is.access.presets.get(field) ?? null;
    if (before === preset) return [];
    const model = is.side.key;
    const operations = [before, preset].some(isOnWrite) ? writing : creating;
    const roles = makers(was.access, is.access, operations).filter(
      (role) =>
        !gateAdmits(gateOf(was.access, known).write, role) &&
        (preset !== null || !gateAdmits(gateOf(is.access, field).write, role)),
    );
    const rules = roles.length === 0 ? [] : rulesBy(model, field, matrix);
    return rules.length === 0 ? [] : [{ model, field, preset, before, roles, rules }];
  });
}

/** Roles that can run one of the operations, both before and after. */
function makers(was: MatrixModel, is: MatrixModel, operations: readonly string[]): string[] {
  const roles = operations.flatMap((operation) =>
    [...(is.operations.get(operation)?.keys() ?? [])].filter(
      (role) => rowsOfRole(was.operations.get(operation), role) !== null,
    ),
  );
  return [...new Set(roles)];
}

/** Operations whose rules name the field, or whose paths go over it. The list can have too many, never too few. */
function rulesBy(model: string, field: string, { models, conditions }: Access): string[] {
  const wordsOf = (text: string, seen: readonly string[] = []): string[] =>
    wordsIn(text).flatMap((word) => {
      const called = seen.includes(word) ? undefined : conditions.get(word);
      return called === undefined ? [word] : [word, ...wordsOf(called.text, [...seen, word])];
    });
  return [...models].flatMap(([key, { operations, paths }]) => {
    const ways = [...paths].flatMap(([path, hops]) =>
      hops.some(({ from, to }) => [from, to].some((end) => end.model === model && end.column === field))
        ? [path]
        : [],
    );
    const names = (rows: string) =>
      rows !== allRows &&
      wordsOf(rows).some((word) => word.split(".").includes(field) || ways.some((way) => leadsOn(word, way)));
    return [...operations].flatMap(([operation, roles]) =>
      [...roles.values()].flat().some(names) ? [`${key}.${operation}`] : [],
    );
  });
}

/** Whether a word in a condition continues a path. Within `EXISTS`, only the end of a path is in the text. */
function leadsOn(word: string, way: string): boolean {
  const [last = ""] = way.split(".").slice(-1);
  return word.split(".").includes(last) || word.startsWith(`${way}.`);
}

/** Fields and paths of a condition, without text in quotes or braces. */
function wordsIn(condition: string): string[] {
  return condition.replace(/'(?:[^']|'')*'|\{[^}]*\}/g, " ").match(/[A-Za-z_][\w.]*/g) ?? [];
}
