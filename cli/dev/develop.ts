import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** Folders whose changes start the server again. */
const appFolders = ["generated", "models"];

/**
 * Generates when a model changes, and starts the server again when code changes, in processes of the command line itself, until one
 * of them ends or this process gets a signal. `further` are folders to watch as well, relative to the app. Gives the exit code.
 */
export async function develop(root: string, further: readonly string[]): Promise<number> {
  const kirak = process.argv[1] ?? "";
  // No one can watch a folder that is not there yet, nor start from it.
  if (!existsSync(join(root, "generated"))) {
    const { status } = spawnSync(process.execPath, [kirak, "generate"], { cwd: root, stdio: "inherit" });
    if (status !== 0) return status ?? 1;
  }
  const watched = [...appFolders, ...further].flatMap((folder) => ["--watch-path", join(root, folder)]);
  const commands = [
    [kirak, "generate", "--watch"],
    [...watched, "--watch-preserve-output", kirak, "start"],
  ];
  const children = commands.map((words) => spawn(process.execPath, words, { cwd: root, stdio: "inherit" }));
  return untilOneEnds(children);
}

/** Forwards the signal of this process once: a server that gets a second signal ends without finishing its requests. */
function untilOneEnds(children: readonly ChildProcess[]): Promise<number> {
  return new Promise((resolve) => {
    let left = children.length;
    let code: number | null = null;
    const stop = (signal: NodeJS.Signals) => {
      if (code !== null) return;
      code = 0;
      for (const child of children) child.kill(signal);
    };
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop(signal));
    for (const child of children)
      child.on("exit", (ended) => {
        const isFirst = code === null;
        stop("SIGTERM");
        if (isFirst) code = ended ?? 0;
        left -= 1;
        if (left === 0) resolve(code ?? 0);
      });
  });
}
