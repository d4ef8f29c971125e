import { execFile } from "node:child_process";
import { posix } from "node:path";
import { promisify } from "node:util";
import {
  accountDeletionPath,
  documentPath,
  graphqlSchemaPath,
  matrixPath,
  snapshotPath,
} from "../output/output-files.ts";

/** The output folder at a commit. The text of a missing file is null. */
export interface BaseFiles {
  /** The id of the commit. */
  readonly commit: string;
  readonly schema: string | null;
  readonly matrix: string | null;
  readonly document: string | null;
  readonly graphql: string | null;
  readonly accountDeletion: string | null;
  /** Names of the files in `migrations/`. `changed` are those that differ on disk or are missing there. */
  readonly migrations: readonly string[];
  readonly changed: readonly string[];
}

const run = promisify(execFile);
const largest = 512 * 1024 * 1024;

/** Reads the output folder at a commit. Returns a problem for the user if git cannot read it. */
export async function readBase(
  root: string,
  out: string,
  ref: string,
): Promise<BaseFiles | { problem: string }> {
  const found = await commitAt(root, ref);
  if ("problem" in found) return found;
  const { commit } = found;
  const [schema, matrix, document, graphql, accountDeletion] = await Promise.all(
    [snapshotPath, matrixPath, documentPath, graphqlSchemaPath, accountDeletionPath].map((path) =>
      textAt(root, out, commit, path),
    ),
  );
  const texts = {
    schema: schema ?? null,
    matrix: matrix ?? null,
    document: document ?? null,
    graphql: graphql ?? null,
    accountDeletion: accountDeletion ?? null,
  };
  const folder = `./${out}/migrations/`;
  const [migrations, changed] = await Promise.all([
    namesFrom(root, ["ls-tree", "-z", "--name-only", commit, "--", folder]),
    namesFrom(root, ["diff", "-z", "--name-only", "--no-renames", commit, "--", folder]),
  ]);
  return { commit, ...texts, migrations, changed };
}

/** The id of a commit, or a problem for the user if it does not exist. */
async function commitAt(
  root: string,
  ref: string,
): Promise<{ readonly commit: string } | { readonly problem: string }> {
  // Git reads a leading dash as an option, and a colon as a path.
  if (!/^[^-\s:\p{C}][^\s:\p{C}]*$/u.test(ref))
    return { problem: `${JSON.stringify(ref)} is not the name of a commit` };
  const found = await git(root, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`]);
  if ("text" in found) return { commit: found.text.trim() };
  if (found.problem !== "") return found;
  return { problem: `there is no commit ${ref} here; if this is a shallow clone, run git fetch` };
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

/** The names of the files that git lists, without folders. */
async function namesFrom(root: string, words: readonly string[]): Promise<string[]> {
  const listed = await git(root, words);
  return "text" in listed ? listed.text.split("\0").flatMap((path) => posix.basename(path) || []) : [];
}

/** The output of git. The problem is empty if git ran and failed. */
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
