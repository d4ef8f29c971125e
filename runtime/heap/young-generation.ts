import { setFlagsFromString } from "node:v8";
import { knowsFlags } from "./known-flags.ts";

/** V8's own. */
const usualGrowth = 2;

let isHeld = false;

/**
 * Has V8 keep its young generation as small as it is. Else it doubles whenever as much as it holds has lived on, as all that a start
 * loads does, and stays at 32 MB, mostly garbage. For the start of a process that is to go on for long.
 */
export function holdYoungGeneration(): void {
  isHeld = knowsFlags;
  if (isHeld) setFlagsFromString("--semi-space-growth-factor=1");
}

/** Lets it grow as requests need it. Does nothing where it was not held. */
export function releaseYoungGeneration(): void {
  if (isHeld) setFlagsFromString(`--semi-space-growth-factor=${usualGrowth}`);
  isHeld = false;
}
