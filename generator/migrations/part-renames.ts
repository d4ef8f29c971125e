import type { Step } from "../../vocabulary/migrations/migration-steps.ts";
import type { TablePair } from "./compare-tables.ts";
import { isSamePart } from "./constraints.ts";
import type { RecreatedParts } from "./recreated-parts.ts";

type Part = { readonly name: string };

/** A rename of an index or a constraint. */
interface NewName {
  readonly table: string;
  readonly name: string;
  readonly to: string;
}

/** Tables with renamed indexes or constraints, and the steps that rename them. */
export interface Renamed<Pair> {
  readonly pairs: readonly Pair[];
  readonly steps: readonly Step[];
}

/** Renames unchanged indexes. The indexes of all tables share one namespace. */
export function nameIndexes<Pair extends TablePair>(
  pairs: readonly Pair[],
  ties: Pick<RecreatedParts, "index">,
): Renamed<Pair> {
  const wanted = pairs.flatMap(({ old, now }) =>
    newNames(now.name, old.indexes, now.indexes, (index) => ties.index(index, now)),
  );
  const given = possible(
    wanted,
    pairs.flatMap(({ old, now }) => staying(old.indexes, now.indexes)),
  );
  return {
    pairs: pairs.map((pair) => ({
      ...pair,
      old: { ...pair.old, indexes: named(pair.now.name, pair.old.indexes, given) },
    })),
    steps: given.map((name): Step => ({ step: "rename_index", ...name })),
  };
}

/** Renames unchanged checks and foreign keys. Each table is a namespace. */
export function nameConstraints<Pair extends TablePair>(
  pairs: readonly Pair[],
  ties: RecreatedParts,
): Renamed<Pair> {
  const steps: Step[] = [];
  const renamed = pairs.map((pair) => {
    const { old, now } = pair;
    const wanted = [
      ...newNames(now.name, old.checks, now.checks, (check) => ties.check(check, now)),
      ...newNames(now.name, old.foreignKeys, now.foreignKeys, (key) => ties.foreignKey(key, now)),
    ];
    const given = possible(wanted, [
      ...staying(old.checks, now.checks),
      ...staying(old.foreignKeys, now.foreignKeys),
    ]);
    steps.push(...given.map((name): Step => ({ step: "rename_constraint", ...name })));
    const checks = named(now.name, old.checks, given);
    return { ...pair, old: { ...old, checks, foreignKeys: named(now.name, old.foreignKeys, given) } };
  });
  return { pairs: renamed, steps };
}

/** Finds renames, except of parts that are dropped and created again. */
function newNames<Kind extends Part>(
  table: string,
  old: readonly Kind[],
  now: readonly Kind[],
  tied: (part: Kind) => boolean,
): NewName[] {
  const free = now.filter((part) => !old.some((other) => isSamePart(part, other)));
  return old.flatMap((part) => {
    if (tied(part) || now.some((other) => isSamePart(part, other))) return [];
    const index = free.findIndex((other) => isSamePart(part, { ...other, name: part.name }));
    const [match] = index < 0 ? [] : free.splice(index, 1);
    return match === undefined ? [] : [{ table, name: part.name, to: match.name }];
  });
}

function staying(old: readonly Part[], now: readonly Part[]): string[] {
  return old.filter((part) => now.some((other) => isSamePart(part, other))).map(({ name }) => name);
}

/** The renames whose new name is free at that point, in order. Leaves out renames that swap names. */
function possible(wanted: readonly NewName[], staying: readonly string[]): NewName[] {
  const taken = new Set([...staying, ...wanted.map(({ name }) => name)]);
  const given: NewName[] = [];
  let waiting = [...wanted];
  for (let before = -1; waiting.length !== before; ) {
    before = waiting.length;
    waiting = waiting.filter((entry) => {
      if (taken.has(entry.to)) return true;
      taken.delete(entry.name);
      taken.add(entry.to);
      given.push(entry);
      return false;
    });
  }
  return given;
}

function named<Kind extends Part>(table: string, parts: readonly Kind[], given: readonly NewName[]): Kind[] {
  const names = new Map(given.filter((entry) => entry.table === table).map(({ name, to }) => [name, to]));
  return parts.map((part) => ({ ...part, name: names.get(part.name) ?? part.name }));
}
