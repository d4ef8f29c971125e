import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const inUse = new Set<string>();

/** Calls `use` with the path of a new temporary folder, which goes afterwards. */
export async function withTemporaryFolder<Value>(use: (folder: string) => Promise<Value>): Promise<Value> {
  const folder = mkdtempSync(join(tmpdir(), "kirak-format-"));
  inUse.add(folder);
  try {
    return await use(folder);
  } finally {
    remove(folder);
  }
}

/** Removes the temporary folders of a process that ends before its work. */
export function removeTemporaryFolders(): void {
  for (const folder of inUse) remove(folder);
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  inUse.delete(folder);
}
