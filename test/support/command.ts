import { tmpdir } from "node:os";
import { compiled } from "./compiled.ts";
import { type Outcome, runProgram } from "./kept-process.ts";

export interface CommandOptions {
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** The project's folder. */
  readonly root?: string;
}

/** Runs a module that takes the project's folder as its first argument, without a terminal, until it ends. */
export function runCommand(module: URL, options: CommandOptions = {}): Promise<Outcome> {
  const { args = [], environment = {}, root = tmpdir() } = options;
  const variables = { PATH: process.env["PATH"] ?? "", ...environment };
  return runProgram({
    module: compiled(module).href,
    args: [root, ...args],
    environment: variables,
    folder: root,
  });
}
