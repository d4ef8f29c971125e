/** A flag, as yargs declares it and help describes it. */
export interface Flag {
  readonly type: "string" | "number" | "boolean";
  readonly describe: string;
  readonly choices?: readonly string[];
  readonly default?: string | number;
  /** Whether it may be repeated. Only for type string. */
  readonly array?: true;
}

/** Flags by their names, without dashes. */
export type FlagTable = Readonly<Record<string, Flag>>;

/** A word that is without a flag, such as the name of a migration. */
export interface Word {
  readonly name: string;
  readonly describe: string;
  /** What is stated where it is left out, such as `baseline needs the name of a migration`; null where it may be. */
  readonly missing: string | null;
}

/** What can represent a flag, by its name, or for the word, by that of the word. */
export type Candidates = Readonly<Record<string, readonly string[]>>;

/** What help and documentation tell of a command. */
export interface CommandHelp {
  /** What it does, in a sentence or two. */
  readonly about: string;
  /** What to type after its name, with what that is for. */
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  readonly exitCodes: Readonly<Record<number, string>>;
  /** What else help ends with. */
  readonly more?: string;
}

interface Declared<Name extends string> extends CommandHelp {
  readonly flags: Readonly<Record<Name, Flag>>;
  readonly word?: Word;
  /** What is printed where its words are not understood, and `--json` is among them. */
  readonly refusal?: (message: string, fix: string) => string;
  /** For completion; asked for where someone completes alone. */
  readonly candidates?: (root: string) => Candidates;
}

/** What a process ends with; undefined is 0, or what the command has set itself. */
export type ExitCode = Promise<number | undefined>;

/** What is to be done, or what is wrong with flags that are each well-formed. */
export type CommandTask =
  | { readonly problem: string }
  | {
      /** What the flags ask for, as `read` gives it. */
      readonly wanted: unknown;
      readonly run: (root: string) => ExitCode;
    };

/** A command of the command line, or of a group. */
export interface Command extends Declared<string> {
  readonly task: (given: ParsedArgs) => CommandTask;
}

/** Several commands under one name, such as those of `migrate`. */
export interface CommandGroup extends CommandHelp {
  readonly commands: Readonly<Record<string, { readonly summary: string; readonly command: Command }>>;
  /** The one that runs where none is named. */
  readonly usual: string;
}

/** A command as its file describes it. */
export interface Description<Name extends string, Wanted> extends Declared<Name> {
  /** What the command line asks for. */
  readonly read: (given: ParsedArgs<Name>) => Wanted;
  /** What is wrong with it, or null. */
  readonly problem?: (wanted: Wanted) => string | null;
  /** Does it, in the folder of a project. */
  readonly run: (wanted: Wanted, root: string) => ExitCode;
}

/** Makes a command of its description. */
export function defineCommand<Name extends string, Wanted>({
  read,
  problem,
  run,
  ...declared
}: Description<Name, Wanted>): Command {
  return {
    ...declared,
    task(given) {
      const wanted = read(given);
      const wrong = problem?.(wanted) ?? null;
      return wrong === null ? { wanted, run: (root) => run(wanted, root) } : { problem: wrong };
    },
  };
}

/** What a command line holds, as yargs has read it. Names of flags are those that a command declares. */
export class ParsedArgs<Name extends string = string> {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values;
  }

  /** Whether a switch is on. */
  has(name: Name): boolean {
    return this.#values[name] === true;
  }

  /** The text of a flag; null where it is not given, and has no default. */
  text(name: Name): string | null {
    const value = this.#values[name];
    return value === undefined ? null : String(value);
  }

  /** The text of a flag that has a default. */
  value(name: Name): string {
    return String(this.#values[name]);
  }

  /** The texts of a flag that may be repeated. */
  texts(name: Name): readonly string[] {
    const value = this.#values[name];
    return Array.isArray(value) ? value.map(String) : [];
  }

  /** The number of a flag; null where it is not given, and has no default. */
  number(name: Name): number | null {
    const value = this.#values[name];
    return value === undefined ? null : Number(value);
  }

  /** The words that are without a flag. */
  get words(): readonly string[] {
    const words = this.#values["_"];
    return Array.isArray(words) ? words.map(String) : [];
  }
}
