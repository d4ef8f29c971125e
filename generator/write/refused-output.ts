import { posix } from "node:path";

/** Folders of the project that hold something else. What stands below `test` may hold output, as fixtures do. */
const taken = ["runtime", "generator", "templates", "schemas", "scripts", "test", "docs"];

/** Folders that are not the project's to fill, at any depth. */
const foreign = ["node_modules", ".git"];

/**
 * Why a folder cannot take the output, or null where it can: it is, or contains, the project, an input or a folder of
 * the repository. Paths are relative to the project.
 */
export function refusedOutput({ out }: { readonly out: string }, inputs: readonly string[]): string | null {
  const folder = posix.normalize(out).replace(/\/$/, "");
  const contains = (path: string) => path === folder || path.startsWith(`${folder}/`);
  if (folder === "." || /^\.\.(\/\.\.)*$/.test(folder)) return "is the project, or contains it";
  if (folder.split("/").some((name) => foreign.includes(name))) return "belongs to another tool";
  if (taken.some(contains)) return "is a folder of the project";
  const input = inputs.find((path) => contains(path) || isHooks(folder, path));
  return input === undefined ? null : `contains ${contains(input) ? input : `hooks beside ${input}`}`;
}

function isHooks(folder: string, input: string): boolean {
  const hooks = posix.join(posix.dirname(input), "hooks");
  return folder === hooks || folder.startsWith(`${hooks}/`);
}
