import type { CheckContext } from "./check-context.ts";

/** Files of jobs (decisions, part 13). */
export function checkJobs({ jobs: { problems }, report }: CheckContext): void {
  for (const { at, message, hint = null } of problems) report("invalid-job", at, message, hint);
}
