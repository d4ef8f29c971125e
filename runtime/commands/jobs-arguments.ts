import { readArguments } from "./command-arguments.ts";

/** What `npm run jobs` is told to do. */
export type JobsCommand =
  | { readonly command: "list"; readonly json: boolean }
  | { readonly command: "retry" | "remove"; readonly id: string };

/** Reads the arguments of `npm run jobs`; `wrong` says what is not understood. */
export function readJobsArguments(args: readonly string[]): JobsCommand | { readonly wrong: string } {
  const parsed = readArguments(args, { options: { json: { type: "boolean" } }, allowPositionals: true });
  if ("wrong" in parsed) return parsed;
  const { values, positionals } = parsed;
  const [command, id, further] = positionals;
  if (command === undefined) return { command: "list", json: values.json === true };
  if (command !== "retry" && command !== "remove") return { wrong: `unknown command ${command}` };
  if (values.json === true) return { wrong: `${command} has no flag --json` };
  if (id === undefined || !/^[1-9]\d{0,17}$/.test(id)) return { wrong: `${command} needs the id of a job` };
  return further === undefined ? { command, id } : { wrong: `${command} takes no word like ${further}` };
}
