import type { Step } from "../../vocabulary/migrations/migration-steps.ts";
import type { TablePair } from "./compare-tables.ts";
import { isSamePart } from "./constraints.ts";
import type { RecreatedParts } from "./recreated-parts.ts";

type Part = { readonly name: string };

/** An index or a constraint that is the same under another name. */
interface NewName {
  readonly table: string;
  readonly name: string;
  readonly to: string;
}

/** Some tables with their indexes under new names, and the steps that give them. */
export interface Renamed<Pair> {
  readonly pairs: readonly Pair[];
  readonly steps: readonly Step[];
}

/** Gives indexes that are the same their new names. Indexes of all tables share one space of names. */
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

/** Gives checks and foreign keys that are the same their new names. Each table has names of its own. */
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

/** Parts that are dropped and made again anyway are not renamed. */
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

/** The names that are free when their turn comes, in that order. Names that change places are not among them. */
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
