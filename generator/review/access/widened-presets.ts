import { allRows, gateAdmits, gateOf, type Matrix, type MatrixModel, reachOfRole } from "./access-matrix.ts";
import type { AccessSide } from "./widened-access.ts";

/** A field that gets another value from the server in new rows than before, by which rules may open them to others. */
export interface OpenedPreset {
  readonly model: string;
  readonly field: string;
  /** As models spell it; null for none. */
  readonly preset: string | null;
  readonly before: string | null;
  /** Whose new rows hold another value, as the matrix spells roles. */
  readonly roles: readonly string[];
  /** Rules that may open these rows to others now: `tasks.fetch`. */
  readonly rules: readonly string[];
}

/** Operations that make rows. */
const creating = ["create", "upsert:insert"];

/**
 * Presets that changed, came or went. Proven to open nothing are those of a field that no rule goes by, and those of roles that
 * made no rows before, make none now, or could have sent any value then. Where a role may send one now, its gate describes it.
 */
export function widenedPresets(was: AccessSide, is: AccessSide, matrix: Matrix): OpenedPreset[] {
  const former = new Map([...was.side.fields].map((name) => [was.side.nameOf(name), name]));
  return [...is.side.fields].flatMap((field): OpenedPreset[] => {
    const known = former.get(field);
    if (known === undefined) return [];
    const before = was.access.presets.get(known) ?? null;
    const preset = is.access.presets.get(field) ?? null;
    if (before === preset) return [];
    const model = is.side.key;
    const roles = makers(was.access, is.access).filter(
      (role) =>
        !gateAdmits(gateOf(was.access, known).write, role) &&
        (preset !== null || !gateAdmits(gateOf(is.access, field).write, role)),
    );
    const rules = roles.length === 0 ? [] : rulesBy(model, field, matrix);
    return rules.length === 0 ? [] : [{ model, field, preset, before, roles, rules }];
  });
}

/** Roles that make rows, and did before. */
function makers(was: MatrixModel, is: MatrixModel): string[] {
  const roles = creating.flatMap((operation) =>
    [...(is.operations.get(operation)?.keys() ?? [])].filter(
      (role) => reachOfRole(was.operations.get(operation), role) !== undefined,
    ),
  );
  return [...new Set(roles)];
}

/** Operations whose rules name a field of that name, or go a way over the field: rather one too many. */
function rulesBy(model: string, field: string, matrix: Matrix): string[] {
  return [...matrix].flatMap(([key, { operations, paths }]) => {
    const ways = [...paths].flatMap(([path, hops]) =>
      hops.some(({ from, to }) => [from, to].some((end) => end.model === model && end.column === field))
        ? [path]
        : [],
    );
    const names = (rows: string) =>
      rows !== allRows &&
      wordsOf(rows).some((word) => word.split(".").includes(field) || ways.some((way) => leadsOn(word, way)));
    return [...operations].flatMap(([operation, roles]) =>
      [...roles.values()].some(({ rows }) => names(rows)) ? [`${key}.${operation}`] : [],
    );
  });
}

/** Within `EXISTS` a path has its beginning around it, so that its end is what is there. */
function leadsOn(word: string, way: string): boolean {
  const [last = ""] = way.split(".").slice(-1);
  return word.split(".").includes(last) || word.startsWith(`${way}.`);
}

/** Fields and paths of a condition, without what is in quotes or braces. */
function wordsOf(condition: string): string[] {
  return condition.replace(/'(?:[^']|'')*'|\{[^}]*\}/g, " ").match(/[A-Za-z_][\w.]*/g) ?? [];
}
