import type { Table } from "../../migrations/schema.ts";
import { fieldId, pathId, presetId, rowsId } from "./access-ids.ts";
import { hopsText, type Matrix, type MatrixModel, parseMatrix } from "./access-matrix.ts";
import { rolePhrase } from "./access-text.ts";
import { conditionNames, hopsOf, type NamedTables, namedTables } from "./condition-naming.ts";
import {
  type ModelPair,
  type ModelSide,
  modelPairs,
  type TableChanges,
  withNewJoins,
} from "./model-pairs.ts";
import { type NewRoute, type OpenedRoute, parseRoutes, routeChanges, routeId } from "./route-access.ts";
import {
  type AccessSide,
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

/** A route that a role can call now and could not before. */
export interface WidenedRoute extends OpenedRoute, Acknowledged {}

/** Any wider access. */
export type Widened = WidenedRows | WidenedField | WidenedPath | WidenedPreset | WidenedRoute;

export interface AccessChanges {
  readonly widenedAccess: readonly WidenedRows[];
  readonly widenedFields: readonly WidenedField[];
  readonly widenedPaths: readonly WidenedPath[];
  readonly widenedPresets: readonly WidenedPreset[];
  readonly widenedRoutes: readonly WidenedRoute[];
  /** New routes. */
  readonly newRoutes: readonly NewRoute[];
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
  const [former, after] = [parseMatrix(matrices.before), parseMatrix(matrices.after)];
  const pairs = [...modelPairs(tables, former).values()];
  const before = withNewJoins(former, pairs);
  const names = namedTables(tables);
  const changes = pairs.map((pair) => compared(before, after, pair, names));
  const reasonOf = (id: string) => acknowledged.get(id) ?? null;
  const paths = changes.flatMap((change) =>
    openedPaths(change, names).map((path) => ({ ...path, reason: reasonOf(path.id) })),
  );
  const widened = changes.map((change) => change.widened);
  const routes = routeChanges(parseRoutes(matrices.before), parseRoutes(matrices.after));
  return {
    widenedAccess: widened.flatMap(({ rows }) => rows.map((entry) => withReason(entry, paths, reasonOf))),
    widenedFields: widened
      .flatMap(({ fields }) => fields)
      .map((entry) => ({ ...entry, id: fieldId(entry), reason: reasonOf(fieldId(entry)) })),
    widenedPaths: paths,
    widenedPresets: changes
      .flatMap(({ was, is }) => widenedPresets(was, is, after))
      .map((entry) => ({ ...entry, id: presetId(entry), reason: reasonOf(presetId(entry)) })),
    widenedRoutes: routes.opened.map((entry) => ({
      ...entry,
      id: routeId(entry),
      reason: reasonOf(routeId(entry)),
    })),
    newRoutes: routes.added,
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
  widenedPresets: [],
  widenedRoutes: [],
  newRoutes: [],
  narrowed: { rows: [], fields: [] },
};

/** If rows are open because a path leads elsewhere, the reason of the path counts: the reason of the condition is older. */
function withReason(
  entry: OpenedRows,
  paths: readonly WidenedPath[],
  reasonOf: (id: string) => string | null,
): WidenedRows {
  const id = rowsId(entry);
  if (entry.over === undefined) return { ...entry, id, reason: reasonOf(id) };
  const model = entry.operation.split(".")[0];
  const reasons = paths
    .filter((each) => each.model === model && entry.over?.includes(each.path))
    .map(({ reason }) => reason);
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

const unreached = {
  internal: false,
  closed: false,
  operations: new Map(),
  gates: new Map(),
  presets: new Map(),
  paths: new Map(),
};

interface Compared {
  readonly was: AccessSide;
  readonly is: AccessSide;
  readonly widened: WidenedAccess;
  readonly narrowed: WidenedAccess;
}

type Names = ReturnType<typeof namedTables>;

function compared(former: Matrix, current: Matrix, { before, after }: ModelPair, names: Names): Compared {
  const [known, now] = [former.get(before.key), current.get(after.key)];
  // A text without a model has no information about the model's fields.
  const was = sideOf(known ?? { ...unreached, closed: now?.closed === true }, before, names.before);
  const is = sideOf(now ?? { ...unreached, closed: known?.closed === true }, after, names.after);
  return { was, is, widened: widenedAccess(was, is), narrowed: widenedAccess(is, was) };
}

function sideOf(access: MatrixModel, side: ModelSide, tables: NamedTables): AccessSide {
  return { access, side, naming: conditionNames(access, side, tables) };
}

/** The paths that lead elsewhere while the text of the conditions is unchanged. */
function openedPaths({ was, is, widened }: Compared, names: Names): Omit<WidenedPath, "reason">[] {
  const opens = new Map<string, string[]>();
  for (const { operation, along, role, over = [] } of widened.rows) {
    const others = along.length === 0 ? "" : `, with ${along.join(" and ")},`;
    const text = `${operation.split(".")[1]}${others} to ${rolePhrase(role)}`;
    for (const path of over) opens.set(path, [...(opens.get(path) ?? []), text]);
  }
  const model = is.side.key;
  return [...opens].map(([path, texts]) => {
    const relations = path.split(".");
    const leads = hopsText(is.access.paths.get(path) ?? []);
    const before = hopsText(hopsOf(relations, was.access, was.side.key, names.before) ?? []);
    return { model, path, leads, before, opens: [...new Set(texts)], id: pathId({ model, path, leads }) };
  });
}

/** Access that no one has acknowledged. If a path leads elsewhere, the path is acknowledged, not its rows. */
export function unacknowledged({
  widenedAccess,
  widenedFields,
  widenedPaths,
  widenedPresets: presets,
  widenedRoutes,
}: AccessChanges): Widened[] {
  const rows = widenedAccess.filter(({ over }) => over === undefined);
  return [...rows, ...widenedFields, ...widenedPaths, ...presets, ...widenedRoutes].filter(
    ({ reason }) => reason === null,
  );
}
