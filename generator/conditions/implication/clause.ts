/** One relation of a path, under names that both sides of a comparison share. */
export interface Hop {
  /** Columns and tables, and which of several rows counts: equal where it leads to the same rows, deleted ones too. */
  readonly leads: string;
  /** Deleted rows do not count. */
  readonly live: boolean;
  /** Another row takes the place of one that does not count. */
  readonly first: boolean;
  /** It leads to several rows. */
  readonly many: boolean;
}

/** Where a path leads. */
export interface NamedWay {
  readonly hops: readonly Hop[];
  /** The fields of the model at its end. */
  readonly fields: ReadonlySet<string>;
  nameOf(field: string): string;
}

/** What the fields of a condition are called when it is compared, and which of them the model has. */
export interface Naming {
  readonly fields: ReadonlySet<string>;
  nameOf(field: string): string;
  /** Where relations lead, one after the other, from the row whose rule it is; null where nothing tells. */
  wayOf(relations: readonly string[]): NamedWay | null;
  /** What a column of the accounts is called. */
  callerColumn(column: string): string;
}

/** Demands by their keys; a row is open where all of them hold. Of two with one key both hold, or none. */
export type Way = ReadonlyMap<string, Demand>;

/** One thing that a way demands, with the sentence that says it. */
export type Demand = { readonly key: string; readonly text: string } & (
  | {
      readonly kind: "comparison";
      readonly operator: string;
      /** Over paths, one or two. */
      readonly sides: readonly Side[];
      /** Seconds from now to what it compares with; null where that is no moment. */
      readonly moment: number | null;
    }
  | { readonly kind: "exists"; readonly negated: boolean; readonly path: Path; readonly way: Way }
  | { readonly kind: "other" }
);

/** Where a name begins, and the relations that it goes over. */
export interface Path {
  /** The row at hand, or within EXISTS also the row whose rule it is. */
  readonly start: "here" | "this";
  readonly hops: readonly Hop[];
}

/** One side of a comparison, as far as it can differ where the key of all else is the same. */
export interface Side {
  /** Its name without what rows count. */
  readonly name: string;
  readonly hops: readonly Hop[];
}

/** Whether a row on the one way is on the other as well: each demand of the other follows from one of it. */
export function impliesWay(way: Way, other: Way): boolean {
  return [...other.values()].every((demand) => follows(demand, way));
}

/** Whether a demand follows from those of a way. */
export function follows(demand: Demand, from: Way): boolean {
  return (
    from.has(demand.key) || (isLoose(demand) && [...from.values()].some((each) => implies(each, demand)))
  );
}

/** Whether it follows from others than itself: most demands do not. */
function isLoose(demand: Demand): boolean {
  if (demand.kind !== "comparison") return demand.kind === "exists";
  return demand.moment !== null || demand.sides.some(({ hops }) => hops.length > 0);
}

/** Whether the first demand, where it holds, makes the other hold. Whatever is not proven does not. */
function implies(demand: Demand, other: Demand): boolean {
  if (demand.kind === "comparison" && other.kind === "comparison") return impliesComparison(demand, other);
  if (demand.kind !== "exists" || other.kind !== "exists" || demand.negated !== other.negated) return false;
  // A row that is not there with fewer demands is not there with more.
  const [one, all] = demand.negated ? [other, demand] : [demand, other];
  return (
    one.path.start === all.path.start &&
    isWithin(one.path.hops, all.path.hops) &&
    impliesWay(one.way, all.way)
  );
}

type Comparison = Extract<Demand, { kind: "comparison" }>;

/**
 * A comparison with a field that is NULL never holds, so that it holds for fewer rows where fewer rows on its path count; IS NULL is
 * the other way round. A later moment is a stricter bound below, an earlier one above; `>` is stricter than `>=`.
 */
function impliesComparison(demand: Comparison, other: Comparison): boolean {
  const [one, all] = demand.operator === "is null" ? [other, demand] : [demand, other];
  const same =
    one.sides.length === all.sides.length &&
    one.sides.every(({ name, hops }, index) => {
      const side = all.sides[index];
      return side !== undefined && side.name === name && isWithin(hops, side.hops);
    });
  return same && isBound(demand, other);
}

/** Moments are days against dates, and two of them may be one day: from `>=` an earlier `>` does not follow. */
function isBound({ operator, moment }: Comparison, other: Comparison): boolean {
  if (operator === other.operator && moment === other.moment) return true;
  if (moment === null || other.moment === null) return false;
  if (other.operator !== operator && other.operator !== `${operator}=`) return false;
  if (operator.startsWith(">")) return moment >= other.moment;
  return operator.startsWith("<") && moment <= other.moment;
}

/** Whether a path leads to no row that the other does not lead to. Where the first of several counts, it must be the same one. */
function isWithin(path: readonly Hop[], other: readonly Hop[]): boolean {
  return (
    path.length === other.length &&
    path.every(({ leads, live, first }, index) => {
      const hop = other[index];
      return hop !== undefined && hop.leads === leads && (hop.live === live || (live && !first));
    })
  );
}
