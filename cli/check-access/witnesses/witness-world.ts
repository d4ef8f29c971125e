import type { ServiceDefinition } from "#generator/definition/definition";
import type { Database } from "#runtime/core/database/index";
import { runtimeModels } from "../../conditions/index.ts";
import type { WitnessWorld } from "./witness.ts";

/** Ids of witnesses begin here, so that the ids of the database's sequences stay free. */
const firstNumber = 1_000_000;

/** A database and its models, without witnesses. The same seed makes the same rows, except times. */
export function witnessWorld(database: Database, definition: ServiceDefinition, seed: number): WitnessWorld {
  let last = firstNumber;
  const models = runtimeModels(definition);
  const nextNumber = () => ++last;
  return { database, definition, models, random: seededRandom(seed), shared: new Map(), nextNumber };
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
