import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Builds the package and the book shop as a deployment does. */
export async function buildApp(root: string): Promise<void> {
  await run("npm", ["run", "--silent", "build"], { cwd: root });
}

/** The compiled servers of the benchmark: `scripts/run/program.js` compiles them with it. */
export function builtServers(root: string): string {
  return join(root, "var", "programs", "benchmark", "servers");
}
