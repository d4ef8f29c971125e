import { type ConditionNames, type Disjunct, disjunctsOf, isCovered } from "../../conditions/index.ts";
import { allRows, rowsWithFields, splitRows } from "../../emit/views/matrix-layout.ts";
import type { MatrixModel } from "./access-matrix.ts";
import type { ModelSide } from "./model-pairs.ts";

/** One model on one side of a comparison. */
export interface AccessSide {
  readonly access: MatrixModel;
  readonly side: ModelSide;
  /** Resolves the names in its conditions. */
  readonly naming: ConditionNames;
}

/** Why a part of a condition opens other rows while its text is the same. */
export interface OpeningCauses {
  /** The paths that lead elsewhere, if the condition itself is the same on both sides. */
  readonly over?: readonly string[];
  /** The named conditions with another definition, if the condition itself is the same on both sides. */
  readonly by?: readonly string[];
}

/** A part of the rows of an operation. `fields` are those of the writes for which it counts; null for all of them. */
export interface RowsPart extends Disjunct {
  readonly fields: ReadonlySet<string> | null;
}

/** The parts of some rows. Each text is parsed once, because many operations have the same rows. */
export function reader(naming: ConditionNames): (rows: readonly string[]) => readonly RowsPart[] {
  const all = { text: allRows, clauses: [new Map()], paths: new Set<string>(), calls: new Set<string>() };
  const known = new Map<string, readonly RowsPart[]>();
  const partsOf = (text: string): RowsPart[] => {
    const { rows, fields } = splitRows(text);
    const names = fields && new Set(fields.map(naming.nameOf));
    const parts = rows === allRows ? [all] : disjunctsOf(rows, naming);
    return parts.map((part) => ({ ...part, text: rowsWithFields(part.text, fields), fields: names }));
  };
  return (rows) =>
    rows.flatMap((text) => {
      const found = known.get(text) ?? partsOf(text);
      known.set(text, found);
      return found;
    });
}

/** The other parts that count for each write for which a part counts. */
export function comparable({ fields }: RowsPart, others: readonly RowsPart[]): RowsPart[] {
  return others.filter(
    (other) => other.fields === null || (fields !== null && isSubset(fields, other.fields)),
  );
}

function isSubset(names: ReadonlySet<string>, of: ReadonlySet<string>): boolean {
  return [...names].every((name) => of.has(name));
}

/**
 * Finds why a part opens other rows: paths that lead elsewhere, or named conditions with another definition. Returns nothing if it
 * would open more with the former ones too.
 */
export function causesOf(narrow: AccessSide, wide: AccessSide, changed: ReadonlySet<string>) {
  const paths = changedPaths(narrow.naming, wide);
  const covers = new Map<string, (part: RowsPart, was: readonly string[]) => boolean>();
  /** Whether the part opens nothing new if changed paths lead where they led, and these conditions are as they were. */
  const isCoveredWith = (names: readonly string[], part: RowsPart, was: readonly string[]) => {
    const key = names.join();
    const found = covers.get(key) ?? coverage(narrow, wide, paths, new Set(names));
    covers.set(key, found);
    return found(part, was);
  };
  return (part: RowsPart, was: readonly string[]): OpeningCauses => {
    const over = [...part.paths].filter((path) => paths.has(path));
    const called = [...part.calls].filter((name) => changed.has(name));
    const led = over.length === 0 ? {} : { over };
    if (over.length > 0 && isCoveredWith([], part, was)) return led;
    if (called.length === 0 || !isCoveredWith(called, part, was)) return {};
    const needed = called.filter(
      (name) =>
        !isCoveredWith(
          called.filter((other) => other !== name),
          part,
          was,
        ),
    );
    return { ...led, by: needed.length === 0 ? called : needed };
  };
}

function coverage(
  narrow: AccessSide,
  wide: AccessSide,
  paths: ReadonlySet<string>,
  names: ReadonlySet<string>,
) {
  const same = ({ naming }: AccessSide) => reader(withoutDefinitions(withSamePaths(naming, paths), names));
  const [ofNarrow, ofWide] = [same(narrow), same(wide)];
  return ({ text }: RowsPart, was: readonly string[]) =>
    ofWide([text]).every((part) => isCovered(part, comparable(part, ofNarrow(was))));
}

/** Resolves names without what some calls mean: such a call equals only calls of the same name for the same row. */
export function withoutDefinitions(naming: ConditionNames, names: ReadonlySet<string>): ConditionNames {
  return {
    ...naming,
    definitionOf: (name) => (names.has(name) ? null : (naming.definitionOf?.(name) ?? null)),
  };
}

/** Paths that both sides have, but with different targets. */
export function changedPaths(
  narrow: ConditionNames,
  { access, naming }: { readonly access: MatrixModel; readonly naming: ConditionNames },
): ReadonlySet<string> {
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
export function withSamePaths(naming: ConditionNames, changed: ReadonlySet<string>): ConditionNames {
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
