import { type ParseArgsConfig, parseArgs } from "node:util";

/** Reads the arguments of a command; `wrong` says what is not understood. */
export function readArguments<Options extends ParseArgsConfig>(args: readonly string[], options: Options) {
  try {
    return parseArgs({ ...options, args: [...args] });
  } catch (error) {
    // Node.js goes on with advice that does not fit here.
    const [reason = ""] = (error instanceof Error ? error.message : String(error)).split(". ");
    return { wrong: reason.charAt(0).toLowerCase() + reason.slice(1) };
  }
}

/** Ends a command that was not understood: what is wrong, how it is used, and exit code 2. */
export function refuseArguments(wrong: string, usage: string): never {
  process.stderr.write(`${wrong}\n${usage}`);
  process.exit(2);
}
