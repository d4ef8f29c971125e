import { runProgram } from "../../support/command.ts";
import { compiled } from "../../support/compiled.ts";

/** How `kirak` ended. */
export interface Ran {
  readonly status: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `kirak` of this repository to its end, in a folder, with only these variables. */
export async function kirak(
  folder: string,
  words: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const { code, printed, complained } = await runProgram({
    module: compiled(new URL("../../../cli/kirak.ts", import.meta.url)).href,
    args: words,
    environment: { PATH: process.env["PATH"], ...variables },
    folder,
  });
  return { status: code, stdout: printed, stderr: complained };
}
