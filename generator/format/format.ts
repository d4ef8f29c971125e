import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { GeneratorBug } from "../diagnostics/bug.ts";
import type { EmittedFile } from "../output/emitted-file.ts";
import { makeFoldersOf } from "../output/save.ts";
import { biomeProgram } from "./biome-program.ts";
import { withTemporaryFolder } from "./temporary-folder.ts";

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
    writeFileSync(join(folder, "biome.json"), alone(settings));
    await runBiome(folder);
    for (const { path } of formattable) texts.set(path, readFileSync(join(folder, path), "utf8"));
    return texts;
  });
}

/** The settings for a folder that belongs to nobody, and holds what there is to format. */
function alone(settings: string): string {
  return JSON.stringify({ ...Object(JSON.parse(settings)), root: true, files: { maxSize: 100_000_000 } });
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
