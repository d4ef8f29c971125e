import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Config, ConfigError, readConfig } from "#runtime/core/config/index";
import { temporaryFolder } from "./temporary-folder.ts";

export type Variables = Readonly<Record<string, string | undefined>>;

/** The folder of an app, whose manifest tests write. */
export function configFolder() {
  const root = temporaryFolder("kirak-config-");
  const manifestPath = join(root, "models", "manifest.json");
  mkdirSync(join(root, "models"));
  const read = (manifest: object | string, environment: Variables = {}): Config => {
    writeFileSync(manifestPath, typeof manifest === "string" ? manifest : JSON.stringify(manifest));
    return readConfig({ root, manifestPath, environment });
  };
  const problemsOf = (manifest: object | string, environment: Variables = {}): readonly string[] => {
    try {
      read(manifest, environment);
    } catch (error) {
      if (error instanceof ConfigError) return error.problems;
      throw error;
    }
    return [];
  };
  return { root, manifestPath, read, problemsOf };
}
