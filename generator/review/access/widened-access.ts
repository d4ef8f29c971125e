import { fallbacks } from "../../../vocabulary/operations.ts";
import { isCovered, unprovenOf } from "../../conditions/index.ts";
import {
  type Gate,
  gateAdmits,
  gateOf,
  type MatrixModel,
  rolesWith,
  rowsOfRole,
  rowsOfRules,
} from "./access-matrix.ts";
import { rowsInWords } from "./condition-words.ts";
import {
  type AccessSide,
  causesOf,
  comparable,
  type OpeningCauses,
  type RowsPart,
  reader,
} from "./opened-causes.ts";

/** Rows that a role can access on one side of a comparison and not on the other. */
export interface OpenedRows extends OpeningCauses {
  /** `books.fetch` */
  readonly operation: string;
  /** Further operations that open the same rows, such as `count` for `fetch`. */
  readonly along: readonly string[];
  /** As the matrix spells it. */
  readonly role: string;
  /** `all rows`, or the condition that opens them. */
  readonly rows: string;
  /** The rows of the role and the operation on the other side; null if there are none. */
  readonly instead: string | null;
  /** Both in words, if the conditions go over relations. */
  readonly words?: { readonly rows: string; readonly instead: string | null };
  /** Requirements of the other side that could not be proven for this side. Absent if the conditions show the difference. */
  readonly unproven?: readonly string[];
}

/** A path with different targets on both sides, so that equal conditions can open different rows. */
export interface OpenedPath {
  readonly model: string;
  /** Names of relations: `project.organisation`. */
  readonly path: string;
  /** The relations as the matrix spells them, on both sides. */
  readonly leads: string;
  readonly before: string;
  /** The operations and roles that use it: `fetch, with count and exists, to user`. */
  readonly opens: readonly string[];
}

/** A field that a role can read or write on one side and not on the other, with or without access to the model. */
export interface OpenedField {
  /** `books.price` */
  readonly field: string;
  readonly gate: "read" | "write";
  readonly role: string;
}

export interface WidenedAccess {
  readonly rows: readonly OpenedRows[];
  readonly fields: readonly OpenedField[];
}

/** The access to one model that `wide` opens and `narrow` does not. `changed` are named conditions with another definition. */
export function widenedAccess(
  narrow: AccessSide,
  wide: AccessSide,
  changed: ReadonlySet<string>,
): WidenedAccess {
  const rows: OpenedRows[] = [];
  const newParts = comparedRows(narrow, wide, changed);
  for (const [operation, roles] of wide.access.operations) {
    if (operation === "join" && showsNothing(wide.access)) continue;
    for (const role of [...roles.keys()].sort()) {
      const was = rowsBefore(narrow.access, operation, role);
      const others = rolesWith(role).flatMap((each) => (each === role ? [] : (roles.get(each) ?? [])));
      const instead = was === null ? null : rowsOfRules(was).join("; ");
      const opened = { operation: `${wide.side.key}.${operation}`, role, instead };
      for (const part of newParts(was, roles.get(role) ?? [], others))
        rows.push({ ...opened, along: [], ...part });
    }
  }
  return { rows: folded(rows), fields: openedGates(narrow, wide) };
}

/** A join of a public model shows the rows that the caller can fetch. For an unknown caller these are the rows of everyone. */
function rowsBefore(
  { internal, operations }: MatrixModel,
  operation: string,
  role: string,
): readonly string[] | null {
  if (operation === "join" && !internal) return rowsOfRole(operations.get("fetch"), "*");
  return rowsOfRole(operations.get(operation), role);
}

/** Whether all fields are closed, so that joins of the model open nothing. */
function showsNothing({ reads: { all, names, further } }: MatrixModel): boolean {
  return !all && names.size === 0 && further.size === 0;
}

type OpenedPart = Pick<OpenedRows, "rows" | "words" | "unproven" | "over" | "by">;

/** Lists the rows that neither the other side opens to the role nor this side to wider roles. */
function comparedRows(narrow: AccessSide, wide: AccessSide, changed: ReadonlySet<string>) {
  const [ofNarrow, ofWide] = [reader(narrow.naming), reader(wide.naming)];
  const causes = causesOf(narrow, wide, changed);
  return (was: readonly string[] | null, now: readonly string[], others: readonly string[]): OpenedPart[] => {
    const known = [...ofNarrow(was ?? []), ...ofWide(others)];
    return ofWide(now)
      .filter((part) => !isCovered(part, comparable(part, known)))
      .map((part) => ({ rows: part.text, ...explained(part, was), ...causes(part, was ?? []) }));
  };

  /** Explains conditions over relations, which are hard to read. */
  function explained(part: RowsPart, was: readonly string[] | null): Pick<OpenedPart, "words" | "unproven"> {
    const before = ofNarrow(was ?? []);
    if (![part, ...before].some(({ paths }) => paths.size > 0)) return {};
    const inWords = (rows: string) => rowsInWords(rows, narrow.naming);
    const instead = was === null ? null : rowsOfRules(was).map(inWords).join("; ");
    const words = { rows: rowsInWords(part.text, wide.naming), instead };
    return was === null ? { words } : { words, unproven: unprovenOf(part, comparable(part, before)) };
  }
}

/**
 * Fields whose gates admit more roles. Roles without access to the model count too: they can get it later, and joins show internal
 * models. Fields that only one side has are listed elsewhere.
 */
function openedGates(narrow: AccessSide, wide: AccessSide): OpenedField[] {
  const names = new Map([...wide.side.fields].map((name) => [wide.side.nameOf(name), name]));
  const { access, side } = narrow;
  const { reads, writes } = access;
  // A rebase leaves out the columns of migrations that it derives again. Their gates name them.
  const gated = [reads, writes].flatMap(({ names: listed, further }) => [...listed, ...further.keys()]);
  return [...new Set([...side.fields, ...gated])].sort().flatMap((former) => {
    const name = names.get(side.nameOf(former));
    if (name === undefined) return [];
    const [was, now] = [gateOf(access, former), gateOf(wide.access, name)];
    const opened = (gate: keyof Gate) =>
      [...now[gate]]
        .filter((role) => !gateAdmits(was[gate], role))
        .map((role): OpenedField => ({ field: `${wide.side.key}.${name}`, gate, role }));
    return [...opened("read"), ...opened("write")];
  });
}

/** Operations that usually open the same rows as another operation, as the matrix names them. */
const leaders: ReadonlyMap<string, string> = new Map([
  ["count", fallbacks.count[0]],
  ["exists", fallbacks.exists[0]],
  ["search", "fetch"],
  ["upsert:insert", fallbacks.upsert[0]],
  ["upsert:update", fallbacks.upsert[1]],
]);

/** Merges the entries of operations that open the same rows: a role that can fetch rows can count them too. */
function folded(rows: readonly OpenedRows[]): OpenedRows[] {
  const same = (a: OpenedRows, b: OpenedRows) => a.role === b.role && a.rows === b.rows;
  const leaderOf = (entry: OpenedRows) => {
    const [model = "", name = ""] = entry.operation.split(".");
    return rows.find((other) => other.operation === `${model}.${leaders.get(name)}` && same(other, entry));
  };
  return rows
    .filter((entry) => leaderOf(entry) === undefined)
    .map((entry) => {
      const along = rows.filter((other) => leaderOf(other) === entry);
      return { ...entry, along: along.map(({ operation }) => operation.split(".")[1] ?? "") };
    });
}
