import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterFile } from "./after-file.ts";

/** A folder of its own, removed after the test file. */
export function temporaryFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const fixture = join(import.meta.dirname, "..", "http", "fixture");

/** A folder that is the app of the fixture, as far as its service reads it, with further keys in its manifest. Removed after the test file. */
export function fixtureApp(manifest: object = {}): string {
  const root = temporaryFolder("kirak an app ");
  // As root PostgreSQL runs under another account.
  chmodSync(root, 0o755);
  const models = join(root, "models");
  mkdirSync(models);
  const own: object = JSON.parse(readFileSync(join(fixture, "manifest.json"), "utf8"));
  writeFileSync(join(models, "manifest.json"), JSON.stringify({ ...own, ...manifest }));
  cpSync(join(fixture, "mails"), join(models, "mails"), { recursive: true });
  return root;
}
