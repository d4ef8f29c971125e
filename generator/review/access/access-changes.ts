import { hopsText } from "../../emit/views/path-hops.ts";
import { usersKey } from "../../load/built-in-users.ts";
import type { Table } from "../../migrations/schema.ts";
import { conditionId, fieldId, pathId, presetId, rowsId } from "./access-ids.ts";
import { closedFields, type MatrixModel, withoutAccess } from "./access-matrix.ts";
import { rolePhrase } from "./access-text.ts";
import {
  type DefinitionChanges,
  definitionChanges,
  definitionsOf,
  type NamedDefinitions,
  type OpenedCondition,
  openedConditions,
} from "./condition-changes.ts";
import { conditionNames, hopsOf, type NamedTables, namedTables } from "./condition-naming.ts";
import type { NameChanges } from "./model-pairs.ts";
import {
  type ModelPair,
  type ModelSide,
  modelPairs,
  type TableChanges,
  withNewJoins,
} from "./model-pairs.ts";
import type { AccessSide } from "./opened-causes.ts";
import { parseMatrix } from "./parse-matrix.ts";
import { type NewRoute, type OpenedRoute, routeChanges, routeId } from "./route-access.ts";
import {
  type OpenedField,
  type OpenedPath,
  type OpenedRows,
  type WidenedAccess,
  widenedAccess,
} from "./widened-access.ts";
import { type OpenedPreset, widenedPresets } from "./widened-presets.ts";

/** The access id, and the reason in the acknowledgement. The reason is null if no one acknowledged it. */
interface Acknowledged {
  readonly id: string;
  readonly reason: string | null;
}

/** Rows that a role can access now and could not before. */
export interface WidenedRows extends OpenedRows, Acknowledged {}

/** A field that a role can read or write now and could not before. */
export interface WidenedField extends OpenedField, Acknowledged {}

/** A relation path that leads to other rows than before. */
export interface WidenedPath extends OpenedPath, Acknowledged {}

/** A preset with another value than before. */
export interface WidenedPreset extends OpenedPreset, Acknowledged {}

/** A named condition with another definition than before. */
export interface WidenedCondition extends OpenedCondition, Acknowledged {}

/** A route that a role can call now and could not before. */
export interface WidenedRoute extends OpenedRoute, Acknowledged {}

/** Any wider access. */
export type Widened =
  | WidenedRows
  | WidenedField
  | WidenedPath
  | WidenedCondition
  | WidenedPreset
  | WidenedRoute;

export interface AccessChanges {
  readonly widenedAccess: readonly WidenedRows[];
  readonly widenedFields: readonly WidenedField[];
  readonly widenedPaths: readonly WidenedPath[];
  readonly widenedConditions: readonly WidenedCondition[];
  readonly widenedPresets: readonly WidenedPreset[];
  readonly widenedRoutes: readonly WidenedRoute[];
  /** New routes. */
  readonly newRoutes: readonly NewRoute[];
  /** Named conditions that were added, removed or renamed. */
  readonly conditions: NameChanges;
  /** Tools of the module `mcp` that were added or removed. None opens what REST does not open to the same role. */
  readonly tools: NameChanges;
  /** Access that was open before and is closed now. */
  readonly narrowed: WidenedAccess;
}

/** The texts of `access-matrix.txt` before and after. If the former text is unknown (null), nothing is compared. */
export interface Matrices {
  readonly before: string | null;
  readonly after: string;
}

/**
 * The access that roles gained and lost. If a known model did not have an operation before (it was internal, or had no soft
 * delete), the operation was open to no one. New models are reported separately.
 */
export function accessChanges(
  matrices: Matrices,
  tables: TableChanges,
  acknowledged: ReadonlyMap<string, string>,
): AccessChanges {
  if (matrices.before === null || (matrices.before === matrices.after && sameNames(tables))) return nothing;
  const [parsed, after] = [parseMatrix(matrices.before), parseMatrix(matrices.after)];
  const pairs = [...modelPairs(tables, parsed.models).values()];
  const before = { ...parsed, models: withNewJoins(parsed.models, pairs) };
  const names = namedTables(tables);
  const newKeys = new Map(pairs.map((pair) => [pair.before.key, pair.after.key]));
  const was = { ...before, tables: names.before, definitions: definitionsOf(before, names.before) };
  const is = { ...after, tables: names.after, definitions: definitionsOf(after, names.after) };
  const definitions = definitionChanges(was.definitions, is.definitions, (key) => newKeys.get(key) ?? key);
  const changes = pairs.map((pair) => compared(was, is, pair, definitions));
  const reasonOf = (id: string) => acknowledged.get(id) ?? null;
  const withReason = <Entry>(entry: Entry, id: string) => ({ ...entry, id, reason: reasonOf(id) });
  const rows = changes.flatMap(({ widened }) => widened.rows);
  const paths = changes.flatMap(openedPaths).map((entry) => withReason(entry, pathId(entry)));
  const conditions = openedConditions(was.definitions, is.definitions, rows).map((entry) =>
    withReason(entry, conditionId(entry)),
  );
  const routes = routeChanges(before.routes, after.routes);
  return {
    widenedAccess: rows.map((entry) => withReasons(entry, paths, conditions, reasonOf)),
    widenedFields: changes
      .flatMap(({ widened }) => widened.fields)
      .map((entry) => withReason(entry, fieldId(entry))),
    widenedPaths: paths,
    widenedConditions: conditions,
    widenedPresets: changes
      .flatMap((change) => widenedPresets(change.was, change.is, after))
      .map((entry) => withReason(entry, presetId(entry))),
    widenedRoutes: routes.opened.map((entry) => withReason(entry, routeId(entry))),
    newRoutes: routes.added,
    conditions: { added: definitions.added, removed: definitions.removed, renamed: definitions.renamed },
    tools: toolChanges(before.tools, after.tools),
    narrowed: {
      rows: changes.flatMap(({ narrowed }) => narrowed.rows),
      fields: changes.flatMap(({ narrowed }) => narrowed.fields),
    },
  };
}

const nothing: AccessChanges = {
  widenedAccess: [],
  widenedFields: [],
  widenedPaths: [],
  widenedConditions: [],
  widenedPresets: [],
  widenedRoutes: [],
  newRoutes: [],
  conditions: { added: [], removed: [], renamed: [] },
  tools: { added: [], removed: [], renamed: [] },
  narrowed: { rows: [], fields: [] },
};

function toolChanges(before: ReadonlySet<string>, after: ReadonlySet<string>): NameChanges {
  const without = (names: ReadonlySet<string>, others: ReadonlySet<string>) =>
    [...names].filter((name) => !others.has(name));
  return { added: without(after, before), removed: without(before, after), renamed: [] };
}

/** If paths or named conditions open rows, their reasons count: the reason of the rule's condition is older. */
function withReasons(
  entry: OpenedRows,
  paths: readonly WidenedPath[],
  conditions: readonly WidenedCondition[],
  reasonOf: (id: string) => string | null,
): WidenedRows {
  const id = rowsId(entry);
  const { over = [], by = [] } = entry;
  if (over.length + by.length === 0) return { ...entry, id, reason: reasonOf(id) };
  const model = entry.operation.split(".")[0];
  const reasons = [
    ...paths.filter((each) => each.model === model && over.includes(each.path)),
    ...conditions.filter(({ name }) => by.includes(name)),
  ].map(({ reason }) => reason);
  return { ...entry, id, reason: reasons.includes(null) ? null : [...new Set(reasons)].join("; ") };
}

/** Whether names in conditions mean the same as before. Then equal texts open equal rows. */
function sameNames({ before, after, renames }: TableChanges): boolean {
  const joins = (tables: readonly Table[]) =>
    JSON.stringify(
      tables.map(({ name, foreignKeys }) => [name, foreignKeys.map((key) => [key.column, key.references])]),
    );
  return renames.length === 0 && joins(before) === joins(after);
}

interface Compared {
  readonly was: AccessSide;
  readonly is: AccessSide;
  readonly widened: WidenedAccess;
  readonly narrowed: WidenedAccess;
}

/** What one side of a comparison says. */
interface Side {
  readonly models: ReadonlyMap<string, MatrixModel>;
  readonly tables: NamedTables;
  readonly definitions: NamedDefinitions;
}

function compared(
  former: Side,
  current: Side,
  { before, after }: ModelPair,
  { changed }: DefinitionChanges,
): Compared {
  const [was, is] = [sideOf(former, before), sideOf(current, after)];
  return { was, is, widened: widenedAccess(was, is, changed), narrowed: widenedAccess(is, was, changed) };
}

/** A text without accounts shows no field of them. Of another model that it does not have, no field is closed. */
function sideOf({ models, tables, definitions }: Side, side: ModelSide): AccessSide {
  const unknown =
    side.key === usersKey ? { ...withoutAccess, reads: closedFields, writes: closedFields } : withoutAccess;
  const access = models.get(side.key) ?? unknown;
  const definitionOf = (name: string) => definitions.get(name)?.expression ?? null;
  return { access, side, naming: { ...conditionNames(access, side, tables), definitionOf } };
}

/** The paths that lead elsewhere while the text of the conditions is unchanged. */
function openedPaths({ was, is, widened }: Compared): OpenedPath[] {
  const opens = new Map<string, string[]>();
  for (const { operation, along, role, over = [] } of widened.rows) {
    const others = along.length === 0 ? "" : `, with ${along.join(" and ")},`;
    const text = `${operation.split(".")[1]}${others} to ${rolePhrase(role)}`;
    for (const path of over) opens.set(path, [...(opens.get(path) ?? []), text]);
  }
  return [...opens].map(([path, texts]) => {
    const leads = hopsText(path, is.access.paths.get(path) ?? []);
    const before = hopsText(path, hopsOf(path.split("."), was.access) ?? []);
    return { model: is.side.key, path, leads, before, opens: [...new Set(texts)] };
  });
}

/** Access that no one has acknowledged. If a path or a named condition opens rows, it is acknowledged, not its rows. */
export function unacknowledged(changes: AccessChanges): Widened[] {
  const { widenedFields, widenedPaths, widenedConditions, widenedPresets: presets, widenedRoutes } = changes;
  const rows = changes.widenedAccess.filter(({ over, by }) => over === undefined && by === undefined);
  return [
    ...rows,
    ...widenedConditions,
    ...widenedFields,
    ...widenedPaths,
    ...presets,
    ...widenedRoutes,
  ].filter(({ reason }) => reason === null);
}
