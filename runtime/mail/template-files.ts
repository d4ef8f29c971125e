import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { suggestion } from "../../vocabulary/nearest.ts";

export interface TemplateFile {
  /** The path as messages name it. */
  readonly label: string;
  /** With LF at the end of lines. */
  readonly content: string;
}

/** The files of a templates folder by name, `<mail>.txt` and `<mail>.html`. Adds to `problems` what is none of them. */
export function readTemplateFiles(
  folder: string,
  mails: readonly string[],
  problems: string[],
): ReadonlyMap<string, TemplateFile> {
  const known = mails.flatMap((mail) => [`${mail}.txt`, `${mail}.html`]);
  const files = new Map<string, TemplateFile>();
  for (const name of existsSync(folder) ? readdirSync(folder).sort() : []) {
    // Such as what editors and file managers leave.
    if (name.startsWith(".")) continue;
    const label = join(basename(dirname(folder)), basename(folder), name);
    const hint = suggestion(name, known) || `; there are ${known.join(", ")}`;
    if (!known.includes(name)) problems.push(`${label} is no template${hint}`);
    else read(join(folder, name), label, problems, (content) => files.set(name, { label, content }));
  }
  return files;
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
