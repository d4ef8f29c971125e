import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { GeneratorBug } from "../diagnostics/bug.ts";
import type { EmittedFile } from "../output/emitted-file.ts";
import { makeFoldersOf } from "../output/save.ts";
import { developmentFile } from "../packages/development-package.ts";

/** How generated files are formatted, in every app: as `biome.json` of this repository says, which a test compares. */
export const generatedFormat = {
  formatter: { indentStyle: "space", indentWidth: 2, lineWidth: 110 },
  javascript: { formatter: { quoteStyle: "double" } },
  overrides: [
    { includes: ["**/api-surface.json", "**/scalars.json"], json: { formatter: { lineWidth: 320 } } },
  ],
} as const;

const temporaryFolders = new Set<string>();

/**
 * Formats TypeScript and JSON with Biome, in a temporary folder and in another process; other files stay as they are.
 * The linter's fixes are left out: the compiler has checked the text that is written. A text that Biome cannot parse is
 * a bug of the generator.
 */
export async function formatted(files: readonly EmittedFile[]): Promise<Map<string, string>> {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const formattable = files.filter(({ path }) => /\.(ts|json)$/.test(path));
  if (formattable.length === 0) return texts;
  const folder = mkdtempSync(join(tmpdir(), "kirak-format-"));
  temporaryFolders.add(folder);
  try {
    makeFoldersOf(formattable.map(({ path }) => join(folder, path)));
    for (const { path, text } of formattable) writeFileSync(join(folder, path), text);
    const settings = { ...generatedFormat, root: true, files: { maxSize: 100_000_000 } };
    writeFileSync(join(folder, "biome.json"), JSON.stringify(settings));
    await runBiome(folder);
    for (const { path } of formattable) texts.set(path, readFileSync(join(folder, path), "utf8"));
    return texts;
  } finally {
    removeFolder(folder);
  }
}

/** Removes the temporary folders of a process that ends before its formatter. */
export function removeTemporaryFolders(): void {
  for (const folder of temporaryFolders) removeFolder(folder);
}

function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  temporaryFolders.delete(folder);
}

const biomeOptions = [
  // BIOME_CONFIG_PATH of a developer's environment would win over the file that is written here.
  ...["check", "--write", "--linter-enabled=false", "--config-path=."],
  ...["--error-on-warnings", "--colors=off", "--max-diagnostics=5", "."],
];

async function runBiome(folder: string): Promise<void> {
  try {
    const [program, ...words] = biomeProgram();
    await promisify(execFile)(program, [...words, ...biomeOptions], { cwd: folder });
  } catch (error) {
    const output = error instanceof Error && "stderr" in error ? String(error.stderr) : "";
    throw new GeneratorBug(`generated text does not pass the formatter:\n${output}`, { cause: error });
  }
}

/** Biome's binary for this platform, or its launcher, which starts a second Node.js for the time of some hundred files. */
function biomeProgram(): [program: string, ...words: string[]] {
  const launcher = developmentFile("@biomejs/biome", "bin/biome");
  const name = `@biomejs/cli-${process.platform}-${process.arch}${isMusl() ? "-musl" : ""}`;
  try {
    return [createRequire(launcher).resolve(`${name}/biome${process.platform === "win32" ? ".exe" : ""}`)];
  } catch {
    return [process.execPath, launcher];
  }
}

/** Whether Linux runs with another C library than glibc. */
function isMusl(): boolean {
  if (process.platform !== "linux") return false;
  const { header }: { header?: { glibcVersionRuntime?: string } } = Object(process.report.getReport());
  return header?.glibcVersionRuntime === undefined;
}
