import { fallbacks } from "../../../vocabulary/operations.ts";
import { type Alternative, alternativesOf, isCovered } from "../../conditions/index.ts";
import {
  admits,
  allRows,
  type Gate,
  gateOf,
  type ModelAccess,
  type Reach,
  reachOfRole,
  rolesWith,
} from "./access-matrix.ts";
import type { ModelSide } from "./model-pairs.ts";

/** Rows that a role reaches on one side of a comparison and not on the other. */
export interface OpenedRows {
  /** `books.fetch` */
  readonly operation: string;
  /** Operations that open the same rows along with it, such as `count` with `fetch`. */
  readonly along: readonly string[];
  /** As it is spelled in the matrix. */
  readonly role: string;
  /** `all rows`, or the condition that opens them. */
  readonly rows: string;
  /** What the role reaches by the operation on the other side; null where that is nothing. */
  readonly instead: string | null;
}

/** A field that a role may read or write on one side and not on the other, whether it reaches the model or not. */
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

/** One model on one side of a comparison. */
export interface AccessSide {
  readonly access: ModelAccess;
  readonly side: ModelSide;
}

/** What `wide` opens and `narrow` does not, of one model. */
export function widenedAccess(narrow: AccessSide, wide: AccessSide): WidenedAccess {
  const rows: OpenedRows[] = [];
  const newTexts = comparedRows(narrow.side, wide.side);
  for (const [operation, roles] of wide.access.operations) {
    if (operation === "join" && showsNothing(wide.access)) continue;
    for (const [role, reach] of roles) {
      const was = reachOf(narrow.access, operation, role);
      const others = rolesWith(role).flatMap((each) => (each === role ? [] : (roles.get(each) ?? [])));
      const opened = { operation: `${wide.side.key}.${operation}`, role, instead: was?.rows ?? null };
      for (const text of newTexts(was, reach, others)) rows.push({ ...opened, along: [], rows: text });
    }
  }
  return { rows: folded(rows), fields: openedGates(narrow, wide) };
}

/** A join of a public model shows what the caller fetches, of which at least everybody's part is known. */
function reachOf({ internal, operations }: ModelAccess, operation: string, role: string): Reach | undefined {
  if (operation === "join" && !internal) return operations.get("fetch")?.get("*");
  return reachOfRole(operations.get(operation), role);
}

/** Joins of a model that shows no field to anybody open nothing. */
function showsNothing({ closed, gates }: ModelAccess): boolean {
  return closed && [...gates.values()].every(({ read }) => read.size === 0);
}

/** Lists the parts of a reach that neither the other side has nor, on this side, whoever the role is one of. */
function comparedRows(narrow: ModelSide, wide: ModelSide) {
  const [ofNarrow, ofWide] = [reader(narrow), reader(wide)];
  return (was: Reach | undefined, now: Reach, others: readonly Reach[]): string[] => {
    const known = [...ofNarrow(was), ...others.flatMap(ofWide)];
    return ofWide(now)
      .filter((part) => !isCovered(part, known))
      .map(({ text }) => text);
  };
}

/** The alternatives of a reach. Many operations have the same rows, so that each text is read once. */
function reader(side: ModelSide): (reach: Reach | undefined) => readonly Alternative[] {
  const known = new Map<string, readonly Alternative[]>([[allRows, [{ text: allRows, ways: [new Set()] }]]]);
  return (reach) => {
    if (reach === undefined) return [];
    const found = known.get(reach.rows) ?? alternativesOf(reach.rows, side);
    known.set(reach.rows, found);
    return found;
  };
}

/**
 * Fields whose gates let somebody pass. Those who do not reach the model count too: they may reach it later, by an operation or
 * by `*`, and joins reach internal models. A field that the other side does not have is new, or gone: that is listed as such.
 */
function openedGates(narrow: AccessSide, wide: AccessSide): OpenedField[] {
  const names = new Map([...wide.side.fields].map((name) => [wide.side.nameOf(name), name]));
  const { access, side } = narrow;
  return [...new Set([...(access.closed ? side.fields : []), ...access.gates.keys()])].flatMap((former) => {
    const name = names.get(side.nameOf(former));
    if (name === undefined) return [];
    const [was, now] = [gateOf(access, former), gateOf(wide.access, name)];
    const opened = (gate: keyof Gate) =>
      [...now[gate]]
        .filter((role) => !admits(was[gate], role))
        .map((role): OpenedField => ({ field: `${wide.side.key}.${name}`, gate, role }));
    return [...opened("read"), ...opened("write")];
  });
}

/** Operations that mostly open what another one opens, as the matrix names them. */
const leaders: ReadonlyMap<string, string> = new Map([
  ["count", fallbacks.count[0]],
  ["exists", fallbacks.exists[0]],
  ["upsert:insert", fallbacks.upsert[0]],
  ["upsert:update", fallbacks.upsert[1]],
]);

/** One entry for the rows that several operations open alike: whoever fetches them counts them too. */
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
