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
