import { execFileSync } from "node:child_process";
import { cpus } from "node:os";

/** Where the servers run that are measured, and where whatever serves them or asks them does. */
export const serverCore = "0";
export const otherCore = "1";

/** Has a process with its threads run on one core from now on, and what it starts as well; null: on any. Nothing happens where that cannot be had. */
export function keepOnCore(pid: number | undefined, core: string | null): void {
  if (pid === undefined || cpus().length < 2 || process.platform !== "linux") return;
  const list = core ?? `0-${cpus().length - 1}`;
  try {
    execFileSync("taskset", ["--all-tasks", "--cpu-list", "--pid", list, String(pid)], { stdio: "ignore" });
  } catch {
    // The figures then say a little more of the machine.
  }
}
