import { readFileSync } from "node:fs";

const everyMs = 1000;

/**
 * Has the process stop in order once the npm that started it is gone: npm's shell does not pass signals on where it stays between the two,
 * as dash does. A process that npm did not start goes on whatever becomes of its parents.
 */
export function watchNpm(stop: () => void): void {
  if (process.env["npm_lifecycle_event"] === undefined) return;
  const before = ancestors();
  const timer = setInterval(() => {
    if (ancestors() === before) return;
    clearInterval(timer);
    stop();
  }, everyMs);
  timer.unref();
}

/** The parent, and the parent of a shell: it outlives an npm that was killed. */
function ancestors(): string {
  const { ppid } = process;
  try {
    const [, command = "", parent = ""] =
      /^\d+ \((.*)\) \S (\d+) /s.exec(readFileSync(`/proc/${ppid}/stat`, "utf8")) ?? [];
    return /^(?:ba|da|a|z|k)?sh$/.test(command) ? `${ppid} ${parent}` : `${ppid}`;
  } catch {
    return `${ppid}`;
  }
}
