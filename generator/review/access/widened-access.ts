import { fallbacks } from "../../../vocabulary/operations.ts";
import {
  type ConditionNames,
  type Disjunct,
  disjunctsOf,
  isCovered,
  unprovenOf,
} from "../../conditions/index.ts";
import {
  allRows,
  type Gate,
  gateAdmits,
  gateOf,
  type MatrixModel,
  type Reach,
  reachOfRole,
  rolesWith,
} from "./access-matrix.ts";
import { rowsInWords } from "./condition-words.ts";
import type { ModelSide } from "./model-pairs.ts";

/** Rows that a role can access on one side of a comparison and not on the other. */
export interface OpenedRows {
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
  /** The paths that lead elsewhere, if the condition itself is the same on both sides. */
  readonly over?: readonly string[];
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

/** One model on one side of a comparison. */
export interface AccessSide {
  readonly access: MatrixModel;
  readonly side: ModelSide;
  /** Resolves the names in its conditions. */
  readonly naming: ConditionNames;
}

/** The access to one model that `wide` opens and `narrow` does not. */
export function widenedAccess(narrow: AccessSide, wide: AccessSide): WidenedAccess {
  const rows: OpenedRows[] = [];
  const newParts = comparedRows(narrow, wide);
  for (const [operation, roles] of wide.access.operations) {
    if (operation === "join" && showsNothing(wide.access)) continue;
    for (const [role, reach] of roles) {
      const was = reachOf(narrow.access, operation, role);
      const others = rolesWith(role).flatMap((each) => (each === role ? [] : (roles.get(each) ?? [])));
      const opened = { operation: `${wide.side.key}.${operation}`, role, instead: was?.rows ?? null };
      for (const part of newParts(was, reach, others)) rows.push({ ...opened, along: [], ...part });
    }
  }
  return { rows: folded(rows), fields: openedGates(narrow, wide) };
}

/** A join of a public model shows the rows that the caller can fetch. For an unknown caller these are the rows of everyone. */
function reachOf({ internal, operations }: MatrixModel, operation: string, role: string): Reach | undefined {
  if (operation === "join" && !internal) return operations.get("fetch")?.get("*");
  return reachOfRole(operations.get(operation), role);
}

/** Whether all fields are closed, so that joins of the model open nothing. */
function showsNothing({ closed, gates }: MatrixModel): boolean {
  return closed && [...gates.values()].every(({ read }) => read.size === 0);
}

type OpenedPart = Pick<OpenedRows, "rows" | "words" | "unproven" | "over">;

/** Lists the rows that neither the other side opens to the role nor this side to wider roles. */
function comparedRows(narrow: AccessSide, wide: AccessSide) {
  const [ofNarrow, ofWide] = [reader(narrow.naming), reader(wide.naming)];
  const changed = changedPaths(narrow.naming, wide);
  const sameNarrow = reader(withSamePaths(narrow.naming, changed));
  const sameWide = reader(withSamePaths(wide.naming, changed));
  return (was: Reach | undefined, now: Reach, others: readonly Reach[]): OpenedPart[] => {
    const known = [...ofNarrow(was), ...others.flatMap(ofWide)];
    const opened = ofWide(now).filter((part) => !isCovered(part, known));
    if (opened.length === 0) return [];
    const alike = sameWide(now).filter((part) => changed.size > 0 && isCovered(part, sameNarrow(was)));
    const texts = new Set(alike.map(({ text }) => text));
    return opened.map((part) => {
      const over = [...part.paths].filter((path) => changed.has(path));
      const isSame = texts.has(part.text) && over.length > 0;
      return { rows: part.text, ...explained(part, was), ...(isSame ? { over } : {}) };
    });
  };

  /** Explains conditions over relations, which are hard to read. */
  function explained(part: Disjunct, was: Reach | undefined): Pick<OpenedPart, "words" | "unproven"> {
    const before = ofNarrow(was);
    if (![part, ...before].some(({ paths }) => paths.size > 0)) return {};
    const instead = was === undefined ? null : rowsInWords(was.rows, narrow.naming);
    const words = { rows: rowsInWords(part.text, wide.naming), instead };
    return was === undefined ? { words } : { words, unproven: unprovenOf(part, before) };
  }
}

/** Paths that both sides have, but with different targets. */
function changedPaths(narrow: ConditionNames, { access, naming }: AccessSide): ReadonlySet<string> {
  const leadsTo = (path: string, by: ConditionNames) =>
    JSON.stringify(by.pathOf(path.split("."))?.hops ?? null);
  return new Set(
    [...access.paths.keys()].filter((path) => {
      const before = leadsTo(path, narrow);
      return before !== "null" && before !== leadsTo(path, naming);
    }),
  );
}

/** Resolves names with the former targets of changed paths. */
function withSamePaths(naming: ConditionNames, changed: ReadonlySet<string>): ConditionNames {
  const hopOf = (path: string) => ({ leads: `as before: ${path}`, live: false, first: false, many: false });
  return {
    ...naming,
    pathOf: (relations) => {
      const path = naming.pathOf(relations);
      if (path === null || !changed.has(relations.join("."))) return path;
      return { ...path, hops: relations.map((_, index) => hopOf(relations.slice(0, index + 1).join("."))) };
    },
  };
}

/** The disjuncts of a reach. Each text is parsed once, because many operations have the same rows. */
function reader(naming: ConditionNames): (reach: Reach | undefined) => readonly Disjunct[] {
  const all = { text: allRows, clauses: [new Map()], paths: new Set<string>() };
  const known = new Map<string, readonly Disjunct[]>([[allRows, [all]]]);
  return (reach) => {
    if (reach === undefined) return [];
    const found = known.get(reach.rows) ?? disjunctsOf(reach.rows, naming);
    known.set(reach.rows, found);
    return found;
  };
}

/**
 * Fields whose gates admit more roles. Roles without access to the model count too: they can get it later, and joins show internal
 * models. Fields that only one side has are listed elsewhere.
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
        .filter((role) => !gateAdmits(was[gate], role))
        .map((role): OpenedField => ({ field: `${wide.side.key}.${name}`, gate, role }));
    return [...opened("read"), ...opened("write")];
  });
}

/** Operations that usually open the same rows as another operation, as the matrix names them. */
const leaders: ReadonlyMap<string, string> = new Map([
  ["count", fallbacks.count[0]],
  ["exists", fallbacks.exists[0]],
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
