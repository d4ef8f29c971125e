/** A flag, as yargs declares it and help describes it. */
export interface Flag {
  readonly type: "string" | "number" | "boolean";
  readonly describe: string;
  readonly choices?: readonly string[];
  readonly default?: string | number;
  /** Whether the flag can be repeated. Only for type string. */
  readonly array?: true;
}

/** Flags by their names, without dashes. */
export type FlagTable = Readonly<Record<string, Flag>>;

/** A positional argument, such as the name of a migration. */
export interface Word {
  readonly name: string;
  readonly describe: string;
  /** The error if it is missing, such as `baseline needs the name of a migration`. Null if it is optional. */
  readonly missing: string | null;
}

/** Possible values by the name of a flag or positional argument. */
export type Candidates = Readonly<Record<string, readonly string[]>>;

/** Texts for help and documentation. */
export interface CommandHelp {
  /** Its effect, in a sentence or two. */
  readonly about: string;
  /** Arguments to type after the command, with their purpose. */
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  readonly exitCodes: Readonly<Record<number, string>>;
  /** Last paragraph of the help. */
  readonly more?: string;
}

interface Declared<Name extends string> extends CommandHelp {
  readonly flags: Readonly<Record<Name, Flag>>;
  readonly word?: Word;
  /** A second word. It is required, and the error of `word` names both. */
  readonly secondWord?: Omit<Word, "missing">;
  /** Prints a parse error with `--json`. */
  readonly refusal?: (message: string, fix: string) => string;
  /** Values for completion, read only when a shell completes. */
  readonly candidates?: (root: string) => Candidates;
}

/** Exit code of a command. Undefined is 0, or the code that the command has set. */
export type ExitCode = Promise<number | undefined>;

/** A command that is ready to run, or the problem with flags that are valid on their own. */
export type CommandTask =
  | { readonly problem: string }
  | {
      /** The result of `read`. */
      readonly input: unknown;
      readonly run: (root: string) => ExitCode;
    };

/** A command, also within a group. */
export interface Command extends Declared<string> {
  readonly task: (given: ParsedArgs) => CommandTask;
}

/** Several commands under one name, such as those of `migrate`. */
export interface CommandGroup extends CommandHelp {
  readonly commands: Readonly<Record<string, { readonly summary: string; readonly command: Command }>>;
  /** The default command. */
  readonly usual: string;
}

/** The declaration of a command. */
export interface Description<Name extends string, Input> extends Declared<Name> {
  /** Converts the parsed arguments. */
  readonly read: (given: ParsedArgs<Name>) => Input;
  /** Validates the result of `read`. */
  readonly problem?: (input: Input) => string | null;
  /** Runs the command in the folder of a project. */
  readonly run: (input: Input, root: string) => ExitCode;
}

/** Makes a command from its declaration. */
export function defineCommand<Name extends string, Input>({
  read,
  problem,
  run,
  ...declared
}: Description<Name, Input>): Command {
  return {
    ...declared,
    task(given) {
      const input = read(given);
      const wrong = problem?.(input) ?? null;
      return wrong === null ? { input, run: (root) => run(input, root) } : { problem: wrong };
    },
  };
}

/** Parsed arguments. Only declared flags have names here. */
export class ParsedArgs<Name extends string = string> {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values;
  }

  /** Whether a switch is on. */
  has(name: Name): boolean {
    return this.#values[name] === true;
  }

  /** The text of a flag. Null without a value and default. */
  text(name: Name): string | null {
    const value = this.#values[name];
    return value === undefined ? null : String(value);
  }

  /** The text of a flag that has a default. */
  value(name: Name): string {
    return String(this.#values[name]);
  }

  /** The texts of a flag that can be repeated. */
  texts(name: Name): readonly string[] {
    const value = this.#values[name];
    return Array.isArray(value) ? value.map(String) : [];
  }

  /** The number of a flag. Null without a value and default. */
  number(name: Name): number | null {
    const value = this.#values[name];
    return value === undefined ? null : Number(value);
  }

  /** Positional arguments. */
  get words(): readonly string[] {
    const words = this.#values["_"];
    return Array.isArray(words) ? words.map(String) : [];
  }
}
