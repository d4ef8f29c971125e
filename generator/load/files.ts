import { isUtf8 } from "node:buffer";
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { mailFileNames } from "../../vocabulary/mail/mail-files.ts";
import {
  customMigrationsFolder,
  hookKey,
  isCustomMigration,
  modelFileNames,
  routeFileName,
} from "../../vocabulary/models-folder.ts";

/** An input file: its path for messages, and its text or the reason why it cannot be read. */
export interface InputFile {
  readonly file: string;
  readonly text: string | null;
  readonly problem: string | null;
  /** The first byte that is not UTF-8. The text is then only for frames of messages. */
  readonly invalid: InvalidByte | null;
}

/** The first invalid byte of a file: its value, its offset in bytes, and its index in the text. */
export interface InvalidByte {
  readonly byte: number;
  readonly offset: number;
  readonly index: number;
}

/** A path of the command line for messages: relative to the project, with `/`. */
export function shownPath(root: string, path: string): string {
  const full = isAbsolute(path) ? path : resolve(root, path);
  return relative(root, full).split(sep).join("/");
}

export async function readInput(root: string, path: string): Promise<InputFile> {
  const file = shownPath(root, path);
  try {
    const bytes = await readFile(resolve(root, path));
    const text = bytes.toString("utf8");
    return { file, text, problem: null, invalid: isUtf8(bytes) ? null : firstInvalid(bytes, text) };
  } catch (error) {
    return { file, text: null, problem: reason(error), invalid: null };
  }
}

/** Decoding turns invalid bytes into U+FFFD. Finds the first U+FFFD that the file itself does not contain. */
function firstInvalid(bytes: Buffer, text: string): InvalidByte {
  const replacement = Buffer.from("\ufffd");
  let offset = 0;
  for (const { index } of text.matchAll(/\ufffd/g)) {
    offset = Buffer.byteLength(text.slice(0, index));
    if (!bytes.subarray(offset, offset + replacement.length).equals(replacement))
      return { byte: bytes[offset] ?? 0, offset, index };
  }
  return { byte: bytes[offset] ?? 0, offset, index: 0 };
}

function reason(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "ENOENT" || code === "ENOTDIR") return "does not exist";
  return code === "EISDIR" ? "is a folder" : "cannot be read";
}

/** The models file and every `*.models.json` next to it, sorted. */
export async function modelFiles(root: string, models: string): Promise<string[]> {
  const folder = dirname(models);
  const [, ...more] = modelFileNames(basename(models), await list(resolve(root, folder)));
  return [models, ...more.map((name) => join(folder, name))];
}

/** Mail templates, `<folder of the models file>/mails/`, relative to the project. */
export async function mailFiles(root: string, models: string): Promise<string[]> {
  const folder = join(dirname(models), "mails");
  const names = mailFileNames(await list(resolve(root, folder)));
  return names.map((name) => shownPath(root, join(folder, name)));
}

/** Hook files by their name without `.ts`, relative to the project: `<folder of the models file>/hooks/*.ts`. */
export async function hookFiles(root: string, models: string): Promise<Map<string, string>> {
  const folder = join(dirname(models), "hooks");
  const names = await list(resolve(root, folder));
  return new Map(
    names.flatMap((name) => {
      const key = hookKey(name);
      return key === null ? [] : [[key, shownPath(root, join(folder, name))] as const];
    }),
  );
}

/** Files in the folder `hooks` that look like hooks but are not read: other extensions, and files in subfolders. */
export async function strayHookFiles(root: string, models: string): Promise<string[]> {
  const folder = join(dirname(models), "hooks");
  const names = await list(resolve(root, folder), true);
  const strays = names.filter((name) => {
    const direct = !name.includes(sep) && name.endsWith(".ts");
    return /\.[cm]?[jt]sx?$/.test(name) && !direct && !/\.(d|test)\.[cm]?[jt]sx?$/.test(name);
  });
  return strays.map((name) => shownPath(root, join(folder, name)));
}

/** Files of custom routes, and stray code files in their folder. */
export async function routeFiles(
  root: string,
  models: string,
): Promise<{ files: string[]; strays: string[] }> {
  const folder = join(dirname(models), "routes");
  const names = (await list(resolve(root, folder), true)).filter((name) => /\.[cm]?[jt]sx?$/.test(name));
  const code = names.filter((name) => !/\.(d|test)\.[cm]?[jt]sx?$/.test(name));
  const shown = (kept: readonly string[]) => kept.map((name) => shownPath(root, join(folder, name)));
  const files = code.filter((name) => routeFileName.test(name));
  return { files: shown(files), strays: shown(code.filter((name) => !files.includes(name))) };
}

/** Migrations in `<folder of the models file>/migrations/`, and stray files that look like migrations; relative to the project. */
export async function customMigrationFiles(
  root: string,
  models: string,
): Promise<{ files: readonly string[]; strays: readonly string[] }> {
  const folder = join(dirname(models), customMigrationsFolder);
  const names = await list(resolve(root, folder), true);
  const strays = names.filter(
    (name) =>
      !isCustomMigration(name) &&
      /\.([cm]?[jt]sx?|sql)$/.test(name) &&
      !/\.(d|test)\.[cm]?[jt]sx?$/.test(name),
  );
  const shown = (name: string) => shownPath(root, join(folder, name));
  return { files: names.filter(isCustomMigration).map(shown), strays: strays.map(shown) };
}

/** Jobs, `<folder of the models file>/jobs/*.ts`, and stray code files in that folder; relative to the project. */
export async function jobFiles(root: string, models: string): Promise<{ files: string[]; strays: string[] }> {
  const folder = join(dirname(models), "jobs");
  const names = await list(resolve(root, folder), true);
  const code = names.filter((name) => /(?<!\.(d|test))\.[cm]?[jt]sx?$/.test(name));
  const files = code.filter((name) => !name.includes(sep) && name.endsWith(".ts"));
  const shown = (kept: readonly string[]) => kept.map((name) => shownPath(root, join(folder, name)));
  return { files: shown(files), strays: shown(code.filter((name) => !files.includes(name))) };
}

async function list(folder: string, recursive = false): Promise<string[]> {
  try {
    return (await readdir(folder, { recursive })).sort();
  } catch {
    return []; // the missing models file is reported, and hooks are optional
  }
}
