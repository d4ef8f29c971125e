import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** Result of writing an app. Existing files stay. */
export interface WriteResult {
  readonly written: readonly string[];
  readonly kept: readonly string[];
  /** Lines added to an existing `.gitignore`: without them secrets would be committed. */
  readonly ignored: readonly string[];
}

/** Files with secrets, which only the user can read. */
const secret = new Set([".env"]);

/** Writes all files of an app, or none if one of them fails. Paths are relative to the app, with `/`. */
export function writeProject(
  root: string,
  files: ReadonlyMap<string, string>,
): WriteResult | { readonly problem: string } {
  const present = join(root, ".gitignore");
  // A link can lead to a file outside the app.
  if (lstatSync(present, { throwIfNoEntry: false })?.isFile() === false)
    return { problem: `${present} is not a regular file, so no lines can be added; nothing was written` };
  const created: { files: string[]; folders: string[] } = { files: [], folders: [] };
  const kept: string[] = [];
  try {
    for (const [path, text] of files) {
      const folder = mkdirSync(dirname(join(root, path)), { recursive: true });
      if (folder !== undefined) created.folders.unshift(folder);
      if (create(join(root, path), text, secret.has(path) ? 0o600 : 0o644)) created.files.push(path);
      else kept.push(path);
    }
    const ignored = kept.includes(".gitignore") ? addIgnored(root, files.get(".gitignore") ?? "") : [];
    return { written: created.files, kept, ignored };
  } catch (error) {
    for (const path of created.files) rmSync(join(root, path), { force: true });
    // Removes created folders with the files in them.
    for (const folder of created.folders) removeEmpty(folder);
    return { problem: `${reasonOf(error)}; nothing is written` };
  }
}

/** Whether the file was created. An existing file stays. */
function create(path: string, text: string, mode: number): boolean {
  try {
    writeFileSync(path, text, { flag: "wx", mode });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

function addIgnored(root: string, wanted: string): string[] {
  const path = join(root, ".gitignore");
  const present = readFileSync(path, "utf8");
  const bare = (line: string) => line.trim().replace(/^\/|\/$/g, "");
  const known = new Set(present.split("\n").map(bare));
  const missing = wanted.split("\n").filter((line) => line !== "" && !known.has(bare(line)));
  const begin = present === "" || present.endsWith("\n") ? "" : "\n";
  if (missing.length > 0) appendFileSync(path, `${begin}${missing.join("\n")}\n`);
  return missing;
}

/** Folders that got other files meanwhile stay. */
function removeEmpty(folder: string): void {
  try {
    for (const name of readdirSync(folder, { withFileTypes: true }))
      if (name.isDirectory()) removeEmpty(join(folder, name.name));
    rmdirSync(folder);
  } catch {}
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error && "code" in error)) throw error;
  const place = "path" in error ? String(error.path) : "one of the files";
  const reasons: Readonly<Record<string, string>> = {
    EACCES: "this user has no write permission",
    EPERM: "this user has no write permission",
    EROFS: "the disk is read-only",
    ENOSPC: "the disk is full",
    ENAMETOOLONG: "the path is too long",
    ENOTDIR: "a part of the path is a file",
    EEXIST: "a part of the path is a file",
    EISDIR: "it is a folder",
  };
  return `${place} cannot be written: ${reasons[String(error.code)] ?? error.message}`;
}
