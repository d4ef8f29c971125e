import { serviceMigrations } from "../built-in-migrations/index.ts";
import type { CodeMigrations } from "../migrations/index.ts";
import { TestServiceError } from "./test-service-error.ts";

/** All migrations of an app. They are loaded from here: a runner of tests that compiles TypeScript itself may take this folder for its own. */
export async function appMigrations(folder: URL | null): Promise<CodeMigrations> {
  try {
    return await serviceMigrations(folder, undefined, (url) => import(url));
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error) || error.code !== "ERR_UNKNOWN_FILE_EXTENSION")
      throw error;
    throw new TestServiceError(
      'the migrations are TypeScript, which this Node.js loads with help alone: in Vitest by `server: { deps: { inline: ["kirak/lib/runtime/testing"] } }` in `test` of its settings, elsewhere by a loader such as tsx',
      { cause: error },
    );
  }
}
