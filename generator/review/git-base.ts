import { execFile } from "node:child_process";
import { posix } from "node:path";
import { promisify } from "node:util";
import { matrixPath, snapshotPath, surfacePath } from "../output/output-files.ts";

/** What the output folder holds at a commit; texts are null where it does not have them. */
export interface BaseFiles {
  /** The id of the commit. */
  readonly commit: string;
  readonly schema: string | null;
  readonly matrix: string | null;
  readonly surface: string | null;
  /** Names of the files in `migrations/`, and of those that are other ones on disk, or are not there. */
  readonly migrations: readonly string[];
  readonly changed: readonly string[];
}

const run = promisify(execFile);
const largest = 512 * 1024 * 1024;

/** Reads what a run compares with from version control. Answers words for the user where it cannot. */
export async function readBase(
  root: string,
  out: string,
  ref: string,
): Promise<BaseFiles | { problem: string }> {
  const found = await commitAt(root, ref);
  if ("problem" in found) return found;
  const { commit } = found;
  const [schema, matrix, surface] = await Promise.all(
    [snapshotPath, matrixPath, surfacePath].map((path) => textAt(root, out, commit, path)),
  );
  const texts = { schema: schema ?? null, matrix: matrix ?? null, surface: surface ?? null };
  const folder = `./${out}/migrations/`;
  const [migrations, changed] = await Promise.all([
    namesFrom(root, ["ls-tree", "-z", "--name-only", commit, "--", folder]),
    namesFrom(root, ["diff", "-z", "--name-only", "--no-renames", commit, "--", folder]),
  ]);
  return { commit, ...texts, migrations, changed };
}

/** The id of a commit. Answers words for the user if it does not exist. */
async function commitAt(
  root: string,
  ref: string,
): Promise<{ readonly commit: string } | { readonly problem: string }> {
  // What begins with a dash would be an option of git, and a colon would name a file.
  if (!/^[^-\s:\p{C}][^\s:\p{C}]*$/u.test(ref))
    return { problem: `${JSON.stringify(ref)} is not a name of a commit` };
  const found = await git(root, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`]);
  if ("text" in found) return { commit: found.text.trim() };
  if (found.problem !== "") return found;
  return { problem: `${ref} names no commit that is here; a shallow clone may lack it (git fetch)` };
}

/** The text of a file in the output folder at a commit; null if it does not exist. */
export async function textAt(
  root: string,
  out: string,
  commit: string,
  path: string,
): Promise<string | null> {
  return fileAtCommit(root, commit, `${out}/${path}`);
}

/** The text of a file of the project at a commit; null if it does not exist. */
export async function fileAtCommit(root: string, commit: string, path: string): Promise<string | null> {
  const shown = await git(root, ["show", `${commit}:./${path}`]);
  return "text" in shown ? shown.text : null;
}

/** The names of the files that git lists, without their folders. */
async function namesFrom(root: string, words: readonly string[]): Promise<string[]> {
  const listed = await git(root, words);
  return "text" in listed ? listed.text.split("\0").flatMap((path) => posix.basename(path) || []) : [];
}

/** The text that git prints. The problem is empty where git itself refused. */
async function git(root: string, words: readonly string[]): Promise<{ text: string } | { problem: string }> {
  try {
    const { stdout } = await run("git", [...words], { cwd: root, maxBuffer: largest });
    return { text: stdout };
  } catch (error) {
    const { code, stderr } = Object(error);
    if (code === "ENOENT") return { problem: "git is not installed here" };
    if (/not a git repository/i.test(String(stderr))) return { problem: "this is not a git repository" };
    return { problem: "" };
  }
}
