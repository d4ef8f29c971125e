import type { ServiceDefinition } from "#generator/definition/definition";
import type { Database } from "#runtime/core/database/index";
import type { Models } from "#runtime/data/sql/index";
import type { Principal } from "#runtime/models/access/index";
import type { Model } from "#runtime/models/index";
import type { Condition } from "#vocabulary/conditions/conditions";
import type { Json } from "#vocabulary/json";
import { runtimeModels } from "../../conditions/index.ts";

/** Where witnesses are made: an app's migrated database, and its models. */
export interface WitnessWorld {
  readonly database: Database;
  readonly definition: ServiceDefinition;
  readonly models: Models;
  /** Random numbers from 0 to 1, the same for the same seed. */
  readonly random: () => number;
  /** Rows that several witnesses refer to, by model key: each column as PostgreSQL's text. */
  readonly shared: Map<string, ColumnTexts>;
  /** A number that no row of the world has used. */
  readonly nextNumber: () => number;
}

/** Values of columns as PostgreSQL's text. */
export type ColumnTexts = ReadonlyMap<string, string | null>;

/** What witnesses are made for. A row of `users` exists for `caller`, unless it is a guest or has no user id. */
export interface WitnessRequest {
  /** A model key. */
  readonly model: string;
  /** Null for all rows. */
  readonly condition: Condition | null;
  /** If the condition uses columns of the caller, other callers with the same role are made. */
  readonly caller: Principal;
  /** `deleted`: the rows are soft-deleted, for `restore`. */
  readonly state: "live" | "deleted" | NewRecord;
}

/** The row is not stored: a caller creates it, who cannot write the fields in `closed`. */
export interface NewRecord {
  readonly closed: ReadonlySet<string>;
}

/** A row that fulfils a condition (`in`), or breaks only one atom of it (`out`). */
export interface Witness {
  readonly kind: "in" | "out";
  /** The broken atom, in the language of the models file. Null for `in`. */
  readonly atom: string | null;
  /** A model key. */
  readonly model: string;
  readonly caller: Principal;
  readonly id: string;
  /** Of a new record, what the caller sends. The rows that it refers to exist. Null for a stored row. */
  readonly data: Readonly<Record<string, Json>> | null;
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

/** Ids of witnesses begin here, so that the ids of the database's sequences stay free. */
const firstNumber = 1_000_000;

/** A database and its models, without witnesses. The same seed makes the same rows, except times. */
export function witnessWorld(database: Database, definition: ServiceDefinition, seed: number): WitnessWorld {
  let last = firstNumber;
  const models = runtimeModels(definition);
  const nextNumber = () => ++last;
  return { database, definition, models, random: seededRandom(seed), shared: new Map(), nextNumber };
}

/** A model of the world, as the runtime has it. */
export function runtimeModel({ models }: Pick<WitnessWorld, "models">, key: string): Model {
  const model = models.get(key);
  if (model === undefined) throw new Error(`there is no model ${key}`);
  return model;
}

/** Random numbers from 0 to 1 (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
