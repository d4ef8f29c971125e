import type { Asked } from "./command-line.ts";
import type { Ended } from "./define-command.ts";

/** Does what was asked for, in a folder, or says what was not understood. Gives the exit code, as commands do. */
export async function answer(asked: Asked, root: string): Ended {
  if ("run" in asked) return asked.run(root);
  if ("text" in asked) {
    process.stdout.write(asked.text);
    return 0;
  }
  const { misuse, fix, refusal } = asked;
  if (refusal === undefined) process.stderr.write(`${misuse}\n${fix}\n`);
  else process.stdout.write(refusal(misuse, fix));
  return 2;
}
