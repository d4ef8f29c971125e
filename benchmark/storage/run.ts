import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Course } from "../compare.ts";
import type { Start } from "../measure.ts";
import { compareDownloads } from "./downloads.ts";
import { compareUploads } from "./uploads.ts";

/** Compares local storage with what Express has for files, in one folder. */
export async function benchmarkStorage(start: Start, { rounds, token }: Course): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "kirak-benchmark-"));
  try {
    await compareDownloads({ start, token, folder, rounds });
    await compareUploads({ start, token, folder, rounds });
  } finally {
    await rm(folder, { recursive: true });
  }
}
