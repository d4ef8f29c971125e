import type { Command, CommandGroup } from "./define-command.ts";

/** The module of a command, in `commands/`. */
export interface CommandModule {
  readonly command: Command | CommandGroup;
  /**
   * What can be done before flags are read, as reading them loads a library: true where all is done, else the command to go on
   * with, or null for the one above.
   */
  readonly atOnce?: (words: readonly string[], root: string) => Promise<true | Command | null>;
}

/** A line of the table. */
export interface Row {
  readonly name: string;
  /** Where the help of `kirak` shows it. */
  readonly group: "begin" | "develop" | "operate";
  readonly summary: string;
  readonly load: () => Promise<CommandModule>;
  /** Works in a folder that is no app; all others need one. */
  readonly anywhere?: true;
}

/** The commands, in the order of the help. One that is not chosen is not loaded. */
export const commandTable: readonly Row[] = [
  {
    name: "secrets",
    group: "begin",
    summary: "prints fresh values for every secret of .env",
    load: () => import("./commands/secrets.ts"),
    anywhere: true,
  },
];
