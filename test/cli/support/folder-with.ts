import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** Makes a folder for the test file, and returns its path. Values that are not texts become JSON. */
export function folderWith(files: Readonly<Record<string, string | object>>): string {
  const folder = temporaryFolder("kirak-cli-");
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), typeof content === "string" ? content : JSON.stringify(content));
  }
  return folder;
}
