import { type FSWatcher, watch as watchFolder } from "node:fs";
import { dirname, join, sep } from "node:path";

/** Editors write a file in several steps: a run begins when nothing has happened for this long. */
const quietMilliseconds = 150;

/** Stops watching. */
export type StopWatching = () => void;

/**
 * Calls `run` after each change below the folders of the given files (paths relative to `root`), one run at a time.
 * Changes below `ignored`, where the runs themselves write, do not count.
 */
export function watch(
  root: string,
  inputs: readonly string[],
  ignored: string,
  run: () => Promise<unknown>,
): StopWatching {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  const changed = (folder: string) => (_event: string, name: string | null) => {
    if (name !== null && join(folder, name).startsWith(join(root, ignored) + sep)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(run);
    }, quietMilliseconds);
  };
  const watchers = folders(root, inputs).map((folder): FSWatcher => {
    return watchFolder(folder, { recursive: true }, changed(folder));
  });
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

/** Folders of files, each once, without those below another one. */
function folders(root: string, inputs: readonly string[]): string[] {
  const all = [...new Set(inputs.map((input) => dirname(join(root, input))))];
  return all.filter((folder) => !all.some((other) => other !== folder && folder.startsWith(other + sep)));
}
