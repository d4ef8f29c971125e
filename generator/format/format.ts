import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { lockFile } from "../../vocabulary/models-folder.ts";
import { GeneratorBug } from "../diagnostics/stop.ts";
import { checksum, type Lock, type LockEntry, printLock } from "../output/lock-file.ts";
import { documentPath, type EmittedFile, emittedSum } from "../output/output-files.ts";
import { currentText, type OutputFolder } from "../output/output-folder.ts";
import { makeFoldersOf } from "../output/save.ts";
import { developmentFile } from "../packages/development-package.ts";

/** Format of generated files in every app. A test compares it with `biome.json` of this repository. */
export const generatedFormat = {
  formatter: { indentStyle: "space", indentWidth: 2, lineWidth: 110 },
  javascript: { formatter: { quoteStyle: "double" } },
  overrides: [{ includes: ["**/scalars.json"], json: { formatter: { lineWidth: 320 } } }],
} as const;

const temporaryFolders = new Set<string>();

/**
 * Formats TypeScript and JSON with Biome, in a temporary folder and in another process. Other files stay the same. The linter's
 * fixes are off, because the compiler has checked this text. Throws a GeneratorBug if Biome cannot parse a text.
 */
export async function formatted(files: readonly EmittedFile[]): Promise<Map<string, string>> {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  // The document has its own layout, for small diffs.
  const formattable = files.filter(({ path }) => /\.(ts|json)$/.test(path) && path !== documentPath);
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
  // Without --config-path, BIOME_CONFIG_PATH in the environment would override the settings.
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

/** Biome's binary for this platform. Otherwise its launcher, which takes longer: it starts a second Node.js. */
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

/** The parts of the lock in addition to the emitted files. */
export interface ProjectFormat {
  /** Files of earlier runs that stay the same (migrations). */
  readonly kept: readonly string[];
  /** Checksum of the models; empty if nothing was generated from them. */
  readonly models: string;
}

/**
 * Turns emitted text into the final text of each file, including the lock. If the emitted text is the same as in the last run, and
 * the file was not edited, the text comes from the disk and is not formatted again.
 */
export async function formatOutput(
  emitted: readonly EmittedFile[],
  { kept, models }: ProjectFormat,
  folder: OutputFolder,
): Promise<Map<string, string>> {
  const format = checksum(JSON.stringify(generatedFormat));
  const final = new Map(kept.map((path) => [path, folder.files.get(path) ?? ""]));
  const changed: EmittedFile[] = [];
  for (const file of emitted) {
    const text = format === folder.lock.format ? currentText(file, folder) : null;
    if (text === null) changed.push(file);
    else final.set(file.path, text);
  }
  for (const [path, text] of await formatted(changed)) final.set(path, text);
  const rewritten = new Map(changed.map((file) => [file.path, file]));
  const emittedPaths = new Set(emitted.map(({ path }) => path));
  const files = new Map(
    [...final].map(([path, text]) => {
      const former = formerEntry(path, folder);
      const [file, isCurrent] = [rewritten.get(path), emittedPaths.has(path) && !rewritten.has(path)];
      return [path, isCurrent && former !== undefined ? former : lockEntry(file, text, former)];
    }),
  );
  const lock = { format, models, files };
  return final.set(lockFile, printLock(isSameText(lock, folder.lock) ? folder.lock : lock));
}

/**
 * Whether two locks agree on all texts on disk. Checksums of emitted text only avoid formatting: if only these differ, the lock,
 * which people review, is not written again.
 */
function isSameText(...locks: readonly [Omit<Lock, "codeFormat">, Lock]): boolean {
  const [one, other] = locks.map((lock) => {
    const contents = [...lock.files].map(([path, { content }]) => [path, { source: "", content }] as const);
    return printLock({ ...lock, files: new Map(contents) });
  });
  return one === other;
}

function formerEntry(path: string, { lock, pending }: OutputFolder): LockEntry | undefined {
  return lock.files.get(path) ?? pending.files.get(path);
}

/** A file that is kept has no emitted text: its entry stays while its content is the same. */
function lockEntry(file: EmittedFile | undefined, text: string, former: LockEntry | undefined): LockEntry {
  const content = checksum(text);
  if (file !== undefined) return { source: emittedSum(file), content };
  return former?.content === content ? former : { source: content, content };
}
