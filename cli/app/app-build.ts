import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { installedFile } from "#generator/packages/installed-file";
import { CommandError } from "#runtime/process/index";
import { lockFile } from "#vocabulary/models-folder";

/** The compiler settings that list the sources of `dist/`. */
const settingsFile = "tsconfig.build.json";

/** The checksum of the sources in `dist/`. It is written last, so that a failed build has none. */
const markFile = "dist/sources.sha256";

/**
 * Whether `dist/` was built from the current sources, compared by content: copies and checkouts change
 * the times of files. Without `generated/`, as in an image, the build is current.
 */
export function buildIsCurrent(root: string): boolean {
  const mark = join(root, markFile);
  if (!existsSync(mark)) return false;
  return !existsSync(join(root, "generated")) || readFileSync(mark, "utf8") === sourcesSum(root);
}

/**
 * Compiles an app to `dist/` and checks types. It removes an older build first, but only when nothing else
 * prevents the new one. Throws a CommandError.
 */
export function buildApp(root: string): void {
  const manifest = installedFile("typescript", "package.json", root);
  if (manifest === null)
    throw new CommandError(
      "development dependencies are not installed: run npm ci --include=dev && npm run build",
    );
  if (!existsSync(join(root, "generated", "index.ts")))
    throw new CommandError("generated/ is missing: run npm run generate");
  if (!existsSync(join(root, settingsFile)))
    throw new CommandError(
      `${settingsFile} is missing: create it as in docs/cli.md, because it defines the build`,
    );
  rmSync(join(root, "dist"), { recursive: true, force: true });
  // The service needs this folder, but the compiler does not create it while no model has a table.
  mkdirSync(join(root, "dist", "generated", "migrations"), { recursive: true });
  const words = [join(dirname(manifest), "bin", "tsc"), "--project", settingsFile, "--pretty", "false"];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new CommandError(`${stdout}${stderr}`.trimEnd() || `tsc ended with ${status}`);
  for (const name of [lockFile, "openapi.json", "graphql/schema.graphql"]) {
    const path = join("generated", name);
    if (existsSync(join(root, path))) cpSync(join(root, path), join(root, "dist", path));
  }
  markBuild(root);
}

/** Marks `dist/` as built from the current sources. */
export function markBuild(root: string): void {
  writeFileSync(join(root, markFile), sourcesSum(root));
}

/** The checksum of all files of a build, except models and manifest, which the service reads when it starts. */
function sourcesSum(root: string): string {
  const { include = [], exclude = [] }: { include?: string[]; exclude?: string[] } = JSON.parse(
    textAt(join(root, settingsFile)) || "{}",
  );
  const included = include
    .flatMap((path) => sourcesAt(root, path))
    .filter((file) => !exclude.some((folder) => file.startsWith(`${folder}/`)))
    .filter((file) => !/^models\/[^/]+\.json$/.test(file));
  const hash = createHash("sha256");
  for (const path of [...new Set([settingsFile, "tsconfig.json", ...included])].sort())
    hash.update(`${path}\0${textAt(join(root, path))}\0`);
  return `${hash.digest("hex")}\n`;
}

/** The sources at a path, a file or a folder, relative to the app. */
function sourcesAt(root: string, path: string): string[] {
  const full = join(root, path);
  const found = statSync(full, { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (found.isFile()) return [path];
  return readdirSync(full, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|json|graphql)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"));
}

function textAt(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}
