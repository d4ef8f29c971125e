import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { mailFileNames, strayMailFiles } from "../../vocabulary/mail-files.ts";
import { ConfigError } from "../config/index.ts";

export interface TemplateFile {
  /** The path as messages name it. */
  readonly label: string;
  /** With LF at the end of lines. */
  readonly content: string;
}

/** The templates of a folder by the names of their files. Adds to `problems` what is none. */
export function readTemplateFiles(folder: string, problems: string[]): ReadonlyMap<string, TemplateFile> {
  const names = mailFileNames(existsSync(folder) ? readdirSync(folder) : []);
  const strays = new Map(strayMailFiles(names).map(({ name, problem }) => [name, problem]));
  const files = new Map<string, TemplateFile>();
  for (const name of names) {
    const label = join(basename(dirname(folder)), basename(folder), name);
    const problem = strays.get(name);
    if (problem !== undefined) problems.push(`${label} ${problem}`);
    else read(join(folder, name), label, problems, (content) => files.set(name, { label, content }));
  }
  return files;
}

/** Throws a ConfigError that names the templates which a service was made with and which are not there now, as in a container that lacks them. */
export function requireTemplates(folder: string, names: readonly string[]): void {
  const missing = names.filter((name) => !existsSync(join(folder, `${name}.txt`)));
  const place = join(basename(dirname(folder)), basename(folder));
  const problems = missing.map(
    (name) =>
      `${join(place, `${name}.txt`)} is missing: code of this service may send that mail; copy ${place}/ too, or run npm run generate`,
  );
  if (problems.length > 0) throw new ConfigError(problems, []);
}

function read(path: string, label: string, problems: string[], take: (content: string) => void): void {
  try {
    // A mark of byte order is dropped, and what is no UTF-8 throws.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
    take(text.replaceAll("\r\n", "\n"));
  } catch (error) {
    const reason = error instanceof TypeError ? "it is not UTF-8" : "it is no file that can be opened";
    problems.push(`${label} cannot be read: ${reason}`);
  }
}
