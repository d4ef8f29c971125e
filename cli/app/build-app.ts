import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { CommandError } from "#runtime/process/index";
import { appBuild } from "./app-build.ts";
import { copyLock } from "./app-module.ts";
import { markBuild } from "./build-mark.js";
import { compilerFolder, runCompiler } from "./emit.js";

/**
 * Compiles an app to `dist/`, types checked. What is there goes when nothing stands in the way of the next build, and a build that
 * fails is none. Throws a CommandError.
 */
export function buildApp(root: string): void {
  const build = appBuild(root);
  const compiler = compilerFolder(root);
  if (compiler === null)
    throw new CommandError(
      "development dependencies are not installed: run npm ci --include=dev && npm run build",
    );
  if (!existsSync(join(root, "generated", "index.ts")))
    throw new CommandError("generated/ is missing: run npm run generate");
  if (!existsSync(join(root, build.settings)))
    throw new CommandError(
      `${build.settings} is missing, which says what is built: docs/cli.md has one to begin with`,
    );
  const out = join(root, build.folder);
  rmSync(out, { recursive: true, force: true });
  // The compiler makes no folder for it while the models have no table: the service still has its own.
  mkdirSync(join(out, "generated", "migrations"), { recursive: true });
  const complaints = runCompiler(root, compiler, join(root, build.settings));
  if (complaints !== "") throw new CommandError(complaints.trimEnd());
  copyLock(root, out);
  markBuild(build);
}
