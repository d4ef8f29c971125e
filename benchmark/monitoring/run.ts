import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Course } from "../compare.ts";
import type { Start } from "../measure.ts";
import { compareCosts } from "./costs.ts";
import { compareDelays } from "./delays.ts";
import { storeFigures } from "./store-figures.ts";

/** Compares the generated service with monitoring on and off, and times its store. */
export async function benchmarkMonitoring(start: Start, course: Course): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "kirak-benchmark-"));
  try {
    await compareCosts({ start, course, folder });
    await storeFigures(folder);
    await compareDelays({ start, course, folder });
  } finally {
    await rm(folder, { recursive: true });
  }
}
