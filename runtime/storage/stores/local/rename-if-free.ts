import { createHash } from "node:crypto";
import { lstat, rename, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { answered, codeOf, ifThere } from "../disk.ts";
import { KeyConflict } from "../file-store.ts";

/** What the system says where a file cannot have a second name: most often the file system has no hard links. */
export const noLinks = new Set<string | null>(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

/** A claim of this age was left by a process that was killed. */
const longestClaimMs = 60_000;

/**
 * For file systems without hard links: renames a file to where nothing is. Of the services that share the folder one at a time may, since
 * it has a claim, a file in the staging folder, which nobody sees among the files. What is put there by another way in the same moment, or
 * by somebody who may overwrite, is overwritten.
 */
export async function renameIfFree(stagingFolder: string, staged: string, path: string): Promise<void> {
  const claim = join(stagingFolder, `claim-${createHash("sha256").update(path).digest("hex")}`);
  const isOurs = await takeClaim(claim);
  const release = async () => {
    if (isOurs()) await answered(unlink(claim)).catch(() => {});
  };
  // A stuck disk may do it after nobody waits any more: until then nobody else may.
  await answered(renameToNothing(staged, path, isOurs).finally(release));
}

async function renameToNothing(staged: string, path: string, isOurs: () => boolean): Promise<void> {
  const there = await ifThere(lstat(path));
  if (there !== null && !there.isDirectory()) throw new KeyConflict("The key is taken.");
  if (!isOurs()) throw new Error("the disk was so slow that somebody else may store a file there by now");
  await rename(staged, path);
}

/** Rejects with `EEXIST` where somebody else has it. Tells whether nobody else can have it yet. */
async function takeClaim(claim: string): Promise<() => boolean> {
  const taken = performance.now();
  try {
    await makeEmpty(claim);
  } catch (error) {
    if (codeOf(error) !== "EEXIST" || !(await removeOutlived(claim))) throw error;
    return takeClaim(claim);
  }
  return () => performance.now() - taken < longestClaimMs;
}

/** Removes a claim whose process was killed. One at a time looks for that: a second one would remove what the first has taken by then. */
async function removeOutlived(claim: string): Promise<boolean> {
  const look = `${claim}-look`;
  await makeEmpty(look);
  try {
    // By the clock of the disk, which need not be ours.
    const { mtimeMs: now } = await answered(lstat(look));
    const left = await ifThere(lstat(claim));
    if (left !== null && now - left.mtimeMs < longestClaimMs) return false;
    await ifThere(unlink(claim));
    return true;
  } finally {
    await answered(unlink(look)).catch(() => {});
  }
}

async function makeEmpty(path: string): Promise<void> {
  await answered(writeFile(path, "", { flag: "wx", mode: 0o600 }));
}
