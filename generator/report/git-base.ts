import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { matrixPath } from "../access/matrix.ts";
import { surfacePath } from "../api/surface.ts";

/** Texts of the output folder at a commit; null where it does not have them. */
export interface BaseFiles {
  readonly schema: string | null;
  readonly matrix: string | null;
  readonly surface: string | null;
}

const run = promisify(execFile);
const largest = 512 * 1024 * 1024;

/** Reads what a run compares with from version control. Answers words for the user where it cannot. */
export async function readBase(
  root: string,
  out: string,
  ref: string,
): Promise<BaseFiles | { problem: string }> {
  // What begins with a dash would be an option of git, and a colon would name a file.
  if (!/^[^-\s:\p{C}][^\s:\p{C}]*$/u.test(ref))
    return { problem: `${JSON.stringify(ref)} is no name of a commit` };
  const commit = await git(root, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`]);
  if ("problem" in commit) {
    if (commit.problem !== "") return commit;
    return { problem: `${ref} names no commit that is here; a shallow clone may lack it (git fetch)` };
  }
  const show = async (path: string) => {
    const shown = await git(root, ["show", `${commit.text.trim()}:./${out}/${path}`]);
    return "text" in shown ? shown.text : null;
  };
  const [schema, matrix, surface] = await Promise.all(
    ["migrations/schema.json", matrixPath, surfacePath].map(show),
  );
  return { schema: schema ?? null, matrix: matrix ?? null, surface: surface ?? null };
}

/** The text that git prints. The problem is empty where git itself refused. */
async function git(root: string, words: readonly string[]): Promise<{ text: string } | { problem: string }> {
  try {
    const { stdout } = await run("git", [...words], { cwd: root, maxBuffer: largest });
    return { text: stdout };
  } catch (error) {
    const { code, stderr } = Object(error);
    if (code === "ENOENT") return { problem: "git is not installed here" };
    if (/not a git repository/i.test(String(stderr))) return { problem: "this is no git repository" };
    return { problem: "" };
  }
}
