import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** Folders whose changes restart the server. */
const appFolders = ["generated", "models"];

/**
 * Regenerates when a model changes and restarts the server when code changes, in child processes, until one
 * of them ends or a signal arrives. `further` are more folders to watch, relative to the app. Returns the
 * exit code.
 */
export async function develop(root: string, further: readonly string[]): Promise<number> {
  const kirak = process.argv[1] ?? "";
  // The watcher and the server need generated/ to exist.
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

/**
 * Forwards the signal of this process once: a server that gets a second signal ends without finishing its
 * requests.
 */
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
