import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type ClientForm, clientFileNames, clientFiles, isClientFile } from "../emit/client/client-files.ts";
import { packageProblem } from "../emit/client/package-files.ts";
import { type FileChange, filesOfTools, unifiedDiff } from "../output/file-changes.ts";
import { filesIn } from "../output/output-folder.ts";
import { save } from "../output/save.ts";
import { failed, messageOfError } from "./failed.ts";
import { readDocument } from "./read-document.ts";

/** The flags of `kirak client`. */
export interface ClientFlags extends ClientForm {
  readonly out: string;
  /** Compare with the files instead of writing them. */
  readonly check: boolean;
  readonly role: string | null;
}

/** Writes or compares the client of a project. Returns the exit code. */
export async function exportClient(flags: ClientFlags, root: string): Promise<0 | 1 | 2> {
  const { out, check, role } = flags;
  const wrongPackage = packageProblem(flags);
  if (wrongPackage !== null) return failed(2, `${wrongPackage}\n`);
  const folder = resolve(root, out);
  try {
    const found = filesIn(folder);
    const foreign = found.filter((path) => !isOwn(folder, path));
    if (foreign.length > 0) return failed(2, refusal(out, foreign));
    const read = await readDocument(root, role);
    if ("problem" in read) return failed(2, read.problem);
    const changes = changesOf(folder, found, clientFiles(read.document, flags));
    if (changes.length > 0 && check) return failed(1, `${unifiedDiff(changes, out)}${outdated(out)}`);
    if (!check) save(folder, changes);
    return 0;
  } catch (error) {
    if (!isFileError(error)) throw error;
    return failed(2, `${out} cannot be ${check ? "read" : "written"}: ${messageOfError(error)}\n`);
  }
}

/** Whether a file is of this command, or of a tool that has files in any folder. */
function isOwn(folder: string, path: string): boolean {
  if (filesOfTools.has(path)) return true;
  return clientFileNames.includes(path) && isClientFile(readFileSync(join(folder, path), "utf8"));
}

function changesOf(
  folder: string,
  found: readonly string[],
  wanted: ReadonlyMap<string, string>,
): FileChange[] {
  const own = found.filter((path) => clientFileNames.includes(path));
  const paths = [...new Set([...wanted.keys(), ...own])].sort();
  return paths.flatMap((path) => {
    const before = own.includes(path) ? readFileSync(join(folder, path), "utf8") : null;
    const after = wanted.get(path) ?? null;
    return before === after ? [] : [{ path, before, after }];
  });
}

const shownFiles = 5;

function refusal(out: string, foreign: readonly string[]): string {
  const more = foreign.length > shownFiles ? ` and ${foreign.length - shownFiles} more` : "";
  const names = `${foreign.slice(0, shownFiles).join(", ")}${more}`;
  return `${out} holds files that kirak client did not write: ${names}\nchoose an empty folder with --out\n`;
}

function outdated(out: string): string {
  return `${out} is out of date: run the command without --check\n`;
}

/** Whether an error is one of the file system. */
function isFileError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
