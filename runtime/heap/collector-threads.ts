import { availableParallelism } from "node:os";
import { setFlagsFromString } from "node:v8";
import { knowsFlags } from "./known-flags.ts";

/**
 * Has V8 collect its young generation on one thread where the process has one core: threads that help would take it from the one that they
 * help.
 */
export function collectAlone(cores = availableParallelism()): void {
  if (cores === 1 && knowsFlags) setFlagsFromString("--no-parallel-scavenge");
}
