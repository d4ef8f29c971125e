/** A program that a kept process is to run. */
export interface ProgramRun {
  /** Of a module of JavaScript. */
  readonly module: string;
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  /** Where it runs. */
  readonly folder: string;
}

/** What ends the output of a run, on both streams. */
export type EndMark = `\0end of run ${number}\n`;

/** The mark of a run. */
export function endMark(run: number): EndMark {
  return `\0end of run ${run}\n`;
}
