// @ts-check
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { CompileError } from "./compile-error.js";

/** The newest trees stay, and for a day all others: a process of theirs reads templates, and may load a module, at any time. */
const kept = { newest: 8, hours: 24 };

/**
 * A folder for a tree that is being made; other users may run it as well.
 *
 * @param {string} trees
 */
export function newDraft(trees) {
  try {
    mkdirSync(trees, { recursive: true });
    const draft = mkdtempSync(join(trees, "draft-"));
    chmodSync(draft, 0o755);
    return draft;
  } catch (error) {
    throw new CompileError(
      `${trees} cannot be written, where the sources are compiled: let this user write there, or run npm run build before`,
      { cause: error },
    );
  }
}

/**
 * Another user may have made it.
 *
 * @param {string} tree
 */
export function markUsed(tree) {
  try {
    utimesSync(tree, new Date(), new Date());
  } catch {}
}

/**
 * Those that nobody started for longest.
 *
 * @param {string} trees
 */
export function removeOld(trees) {
  const usedAt = (/** @type {string} */ name) =>
    statSync(join(trees, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const names = readdirSync(trees).map((name) => ({ name, at: usedAt(name) }));
  const oldest = Date.now() - kept.hours * 3_600_000;
  const old = names.sort((a, b) => b.at - a.at).slice(kept.newest);
  for (const { name } of old.filter(({ at }) => at < oldest))
    rmSync(join(trees, name), { recursive: true, force: true });
}
