/** The statements of a step on a table that is in use. */
export interface StepParts {
  readonly ahead?: string;
  readonly online?: string;
  readonly main?: readonly string[];
  readonly undo?: Undo;
  /** What must be dropped before `online` is retried. */
  readonly again?: string;
  readonly called?: string;
}

/** What is to be dropped, if it is there, so that nothing is left of what was prepared. */
export interface Undo {
  readonly drop: "index" | "constraint" | "column" | "table";
  /** The table that it belongs to, or is. */
  readonly table: string;
  /** For a table, the same as `table`. */
  readonly name: string;
}

/** A table that a step locks, by its name before the migration. */
export interface TableLock {
  readonly step: number;
  readonly table: string;
  readonly mode: "access exclusive" | "share row exclusive";
  /** Foreign keys that go or change with it: PostgreSQL locks the table at their other end, too. */
  readonly keys?: { readonly name: string } | { readonly column: string | null } | "all";
}
