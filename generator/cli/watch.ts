import { readdirSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { usersFiles, usersTopFolders } from "../compile/users-files.ts";

/** How often the files are looked at. A run begins when they are other ones, and have not changed until a second look, soon after. */
const pollMilliseconds = { usually: 50, changing: 20 };

/** Stops watching. */
export type StopWatching = () => void;

export interface WatchTarget {
  readonly root: string;
  /** Files, relative to `root`: changes below their folders count. */
  readonly inputs: readonly string[];
  /** The folder that the runs themselves write. */
  readonly ignored: string;
}

/**
 * Calls `run` once, and again after each change, one run at a time; resolves after the first. The files are looked at
 * in turn: watchers of the system go deaf when an editor replaces a file, or someone moves the folder away and back.
 */
export async function watch(watched: WatchTarget, run: () => Promise<unknown>): Promise<StopWatching> {
  let done = stateOfFiles(watched);
  await run();
  let last = done;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const lookAgain = async () => {
    const now = stateOfFiles(watched);
    if (now !== done && now === last) {
      done = now;
      await run();
    }
    const pause = now === last ? pollMilliseconds.usually : pollMilliseconds.changing;
    last = now;
    if (!stopped) timer = setTimeout(lookAgain, pause);
  };
  timer = setTimeout(lookAgain, pollMilliseconds.usually);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

/** All watched files, each with a stamp that differs after a change. */
function stateOfFiles({ root, inputs, ignored }: WatchTarget): string {
  const folders = new Set(inputs.map((input) => posix.dirname(input)));
  const files = [...folders].flatMap((folder) =>
    folder === "." ? filesAtTop(root, ignored) : usersFiles(root, folder, ignored),
  );
  return files.map((file) => `${file} ${stamp(join(root, file))}`).join("\n");
}

/** Inputs at the top of a project, where only a few folders are the app's. */
function filesAtTop(root: string, ignored: string): string[] {
  const inputs = readdirSync(root).filter((name) => name.endsWith(".json"));
  return [...inputs.sort(), ...usersTopFolders.flatMap((folder) => usersFiles(root, folder, ignored))];
}

function stamp(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? "" : [stats.mtimeMs, stats.ctimeMs, stats.size, stats.ino].join(" ");
}
