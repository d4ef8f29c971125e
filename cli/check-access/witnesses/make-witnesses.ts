import type { ServiceDefinition } from "#generator/definition/definition";
import type { Database } from "#runtime/core/database/index";
import { runtimeModels } from "../../conditions/index.ts";
import type { WitnessRecords, WitnessRequest, Witnesses, WitnessWorld } from "./witness.ts";

/** The rows of a world that has no witness yet. */
export function witnessWorld(database: Database, definition: ServiceDefinition, seed: number): WitnessWorld {
  let last = 1_000_000;
  return {
    database,
    definition,
    models: runtimeModels(definition),
    random: seededRandom(seed),
    shared: new Map(),
    nextNumber: () => ++last,
  };
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

/**
 * Stores rows that fulfil a condition for a caller, and for each of its atoms a row that breaks only this atom. `deleted`: the rows
 * are soft-deleted, for `restore`. PostgreSQL has confirmed each row.
 */
export async function makeWitnesses(
  world: WitnessWorld,
  request: WitnessRequest & { readonly deleted?: boolean },
): Promise<Witnesses> {
  void world;
  void request;
  return { rows: [], missing: [] };
}

/**
 * The same as `makeWitnesses` for rows that do not exist yet: the data that a caller sends to create them. `closed` are the fields
 * that the caller cannot write. Each record can be created, but two of them can have the same unique key.
 */
export async function makeRecords(
  world: WitnessWorld,
  request: WitnessRequest & { readonly closed: ReadonlySet<string> },
): Promise<WitnessRecords> {
  void world;
  void request;
  return { records: [], missing: [] };
}
