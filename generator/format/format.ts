import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { parse } from "jsonc-parser";
import { GeneratorBug } from "../diagnostics/bug.ts";
import { checksum } from "../output/checksum.ts";
import type { EmittedFile } from "../output/emitted-file.ts";
import { makeFoldersOf } from "../output/save.ts";
import { biomeProgram } from "./biome-program.ts";
import { withTemporaryFolder } from "./temporary-folder.ts";

/** The settings of the formatter as text; they are those of the project's `biome.json`. */
export function formatSettings(root: string): string {
  const settings: unknown = parse(readOptional(join(root, "biome.json")) ?? "{}");
  const { $schema: _, vcs: __, files: ___, ...kept } = Object(settings);
  // Which files the project lints and formats is its own affair; here it is all of them.
  return JSON.stringify({ ...kept, root: true, files: { maxSize: 100_000_000 } });
}

/** Checksum of the settings, for the lock. */
export function settingsChecksum(settings: string): string {
  return checksum(settings);
}

/**
 * Formats TypeScript and JSON as `biome check` of the project does, in a temporary folder and in another process; other
 * files stay as they are. The linter's fixes are left out: what is written means what has been compiled. Text that
 * cannot be read is a bug of the generator.
 */
export async function formatted(
  files: readonly EmittedFile[],
  settings: string,
): Promise<Map<string, string>> {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const formattable = files.filter(({ path }) => /\.(ts|json)$/.test(path));
  if (formattable.length === 0) return texts;
  return withTemporaryFolder(async (folder) => {
    makeFoldersOf(formattable.map(({ path }) => join(folder, path)));
    for (const { path, text } of formattable) writeFileSync(join(folder, path), text);
    writeFileSync(join(folder, "biome.json"), settings);
    await runBiome(folder);
    for (const { path } of formattable) texts.set(path, readFileSync(join(folder, path), "utf8"));
    return texts;
  });
}

const biomeOptions = [
  ...["check", "--write", "--linter-enabled=false"],
  ...["--error-on-warnings", "--colors=off", "--max-diagnostics=5", "."],
];

async function runBiome(folder: string): Promise<void> {
  try {
    const [program, ...words] = biomeProgram();
    await promisify(execFile)(program, [...words, ...biomeOptions], { cwd: folder });
  } catch (error) {
    const output = error instanceof Error && "stderr" in error ? String(error.stderr) : "";
    throw new GeneratorBug(`generated text does not pass the formatter:\n${output}`, {
      cause: error,
    });
  }
}

function readOptional(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
