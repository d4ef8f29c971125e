import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readDefinition } from "#generator/pipeline/generate";
import type { ReadResult } from "#generator/pipeline/result";

/** Loads files from texts, bytes or values by path; the two JSON files are empty by default. */
export async function loadFiles(files: Readonly<Record<string, unknown>>): Promise<ReadResult> {
  const root = mkdtempSync(join(tmpdir(), "kirak-load-"));
  try {
    for (const [path, content] of Object.entries({ "models.json": {}, "manifest.json": {}, ...files })) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(
        join(root, path),
        typeof content === "string" || content instanceof Uint8Array ? content : JSON.stringify(content),
      );
    }
    return await readDefinition({ models: "models.json", manifest: "manifest.json", root });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
