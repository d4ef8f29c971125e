import type { Table } from "../../migrations/schema.ts";
import { fieldId, rowsId } from "./access-ids.ts";
import { type Matrix, parseMatrix } from "./access-matrix.ts";
import { type ModelPair, modelPairs, type TableChanges, withNewJoins } from "./model-pairs.ts";
import { type OpenedField, type OpenedRows, type WidenedAccess, widenedAccess } from "./widened-access.ts";

/** The name by which an opening is acknowledged, and the reason that somebody gave, or null. */
interface Acknowledged {
  readonly id: string;
  readonly reason: string | null;
}

/** Rows that a role reaches now and did not reach before. */
export interface WidenedRows extends OpenedRows, Acknowledged {}

/** A field that a role may read or write now and might not before. */
export interface WidenedField extends OpenedField, Acknowledged {}

/** Either of them. */
export type Widened = WidenedRows | WidenedField;

export interface AccessChanges {
  readonly widenedAccess: readonly WidenedRows[];
  readonly widenedFields: readonly WidenedField[];
  /** The same the other way round: what was open before, and is closed now. */
  readonly narrowed: WidenedAccess;
}

/** The texts of `access-matrix.txt` before and after. Where the former one is not known (null) nothing is compared. */
export interface Matrices {
  readonly before: string | null;
  readonly after: string;
}

/**
 * What roles reach more than before, and less. An operation that a known model did not have before was open to nobody:
 * a model that was internal, or had no soft delete. New models are reported as such.
 */
export function accessChanges(
  matrices: Matrices,
  tables: TableChanges,
  acknowledged: ReadonlyMap<string, string>,
): AccessChanges {
  const nothing = { widenedAccess: [], widenedFields: [], narrowed: { rows: [], fields: [] } };
  if (matrices.before === null || (matrices.before === matrices.after && sameNames(tables))) return nothing;
  const [former, after] = [parseMatrix(matrices.before), parseMatrix(matrices.after)];
  const pairs = [...modelPairs(tables, former).values()];
  const before = withNewJoins(former, pairs);
  const changes = pairs.map((pair) => compared(before, after, pair));
  const reasonOf = (id: string) => ({ id, reason: acknowledged.get(id) ?? null });
  return {
    widenedAccess: changes
      .flatMap(({ widened }) => widened.rows)
      .map((entry) => ({ ...entry, ...reasonOf(rowsId(entry)) })),
    widenedFields: changes
      .flatMap(({ widened }) => widened.fields)
      .map((entry) => ({ ...entry, ...reasonOf(fieldId(entry)) })),
    narrowed: {
      rows: changes.flatMap(({ narrowed }) => narrowed.rows),
      fields: changes.flatMap(({ narrowed }) => narrowed.fields),
    },
  };
}

/** Whether fields and joins of conditions are what they were: then the same text opens the same. */
function sameNames({ before, after, renames }: TableChanges): boolean {
  const joins = (tables: readonly Table[]) =>
    JSON.stringify(
      tables.map(({ name, foreignKeys }) => [name, foreignKeys.map((key) => [key.column, key.references])]),
    );
  return renames.length === 0 && joins(before) === joins(after);
}

const unreached = { internal: false, closed: false, operations: new Map(), gates: new Map() };

function compared(former: Matrix, current: Matrix, { before, after }: ModelPair) {
  const [known, now] = [former.get(before.key), current.get(after.key)];
  // A text that does not have a model says nothing of its fields.
  const was = { access: known ?? { ...unreached, closed: now?.closed === true }, side: before };
  const is = { access: now ?? { ...unreached, closed: known?.closed === true }, side: after };
  return { widened: widenedAccess(was, is), narrowed: widenedAccess(is, was) };
}

/** Openings that nobody has acknowledged. */
export function unacknowledged({ widenedAccess, widenedFields }: AccessChanges): Widened[] {
  return [...widenedAccess, ...widenedFields].filter(({ reason }) => reason === null);
}
