import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { inject } from "vitest";
import type {} from "../../support/postgres.ts";

/** Returns a folder that the first test file fills, once in a run. The others wait, and fail as it did. */
export async function onceInRun(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(inject("runFolder"), name);
  const end = `${folder}.end`;
  if (isFirst(folder)) writeFileSync(end, await outcome(fill(folder)));
  while (!existsSync(end)) await pause(50);
  const failure = readFileSync(end, "utf8");
  if (failure !== "") throw new Error(`${name}: ${failure}`);
  return folder;
}

/** The process that creates the folder is the first. */
function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

async function outcome(work: Promise<void>): Promise<string> {
  try {
    await work;
    return "";
  } catch (error) {
    return String(error instanceof Error ? error.stack : error);
  }
}
