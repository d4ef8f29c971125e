import type { ServiceDefinition } from "#generator/definition/definition";
import type { Database } from "#runtime/core/database/index";
import type { Models } from "#runtime/data/sql/index";
import type { Principal } from "#runtime/models/access/index";
import type { Condition } from "#vocabulary/conditions/conditions";
import type { Json } from "#vocabulary/json";

/** Where witnesses are made: an app's migrated database, and its models. `witnessWorld` makes it. */
export interface WitnessWorld {
  readonly database: Database;
  readonly definition: ServiceDefinition;
  readonly models: Models;
  /** Random numbers from 0 to 1, the same for the same seed. */
  readonly random: () => number;
  /** Rows that several witnesses refer to, by model key: each column as PostgreSQL's text. */
  readonly shared: Map<string, Columns>;
  /** A number that no row of the world has used. */
  readonly nextNumber: () => number;
}

/** Values of columns as PostgreSQL's text. */
export type Columns = ReadonlyMap<string, string | null>;

/** What witnesses are made for. A row of `users` exists for `caller`, unless it is a guest or has no user id. */
export interface WitnessRequest {
  /** A model key. */
  readonly model: string;
  /** Null for all rows. */
  readonly condition: Condition | null;
  readonly caller: Principal;
}

/** Whether a row fulfils a condition (`in`), or breaks only one atom of it (`out`). */
interface Satisfies {
  readonly kind: "in" | "out";
  /** The broken atom, in the language of the models file. Null for `in`. */
  readonly atom: string | null;
  /**
   * Columns that the caller's row in `users` must have while the witness is used, as PostgreSQL's text. The row does not have
   * them yet. Mostly empty.
   */
  readonly callerColumns: Columns;
}

/** A row of the database. */
export interface Witness extends Satisfies {
  readonly id: string;
}

/** The data of a new row that a caller can send. The rows that it refers to exist. */
export interface WitnessRecord extends Satisfies {
  readonly data: Readonly<Record<string, Json>>;
}

/** A witness that does not exist, such as `conflicts with the check ends_after_start`. */
export interface MissingWitness {
  readonly kind: "in" | "out";
  readonly atom: string | null;
  readonly reason: string;
}

export interface Witnesses {
  readonly rows: readonly Witness[];
  readonly missing: readonly MissingWitness[];
}

export interface WitnessRecords {
  readonly records: readonly WitnessRecord[];
  readonly missing: readonly MissingWitness[];
}
