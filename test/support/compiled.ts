import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { inject } from "vitest";

const repository = fileURLToPath(new URL("../../", import.meta.url));

/** A module of the repository as JavaScript, for a process of its own: it starts in a third of the time. */
export function compiled(module: URL): URL {
  const path = relative(repository, fileURLToPath(module)).replace(/\.ts$/, ".js");
  return pathToFileURL(join(inject("compiledTree"), path));
}
