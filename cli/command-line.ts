import yargs, { type Argv, type Options } from "yargs";
import { nearest } from "#vocabulary/nearest";
import {
  type Command,
  type CommandGroup,
  type CommandHelp,
  type ExitCode,
  type Flag,
  ParsedArgs,
  type Word,
} from "./define-command.ts";

/** A parsed command line: a text to print, a command to run, or a mistake with its fix. */
export type ParsedLine =
  | { readonly text: string }
  | ({ readonly input: unknown; readonly run: (root: string) => ExitCode } & InJson)
  | ({ readonly mistake: string; readonly fix: string } & InJson);

/** How a refusal is printed with `--json`. */
interface InJson {
  readonly refusal?: Command["refusal"];
}

/** Words that ask for help. */
export const helpWords: readonly string[] = ["--help", "-h"];
const helpColumns = 100;

/**
 * Parses the arguments after the name of a command. `line` is how the user called it, such as `kirak
 * migrate`.
 */
export async function readCommand(
  line: string,
  command: Command | CommandGroup,
  words: readonly string[],
): Promise<ParsedLine> {
  if (!("commands" in command)) return readLeaf(line, command, words);
  const { commands, usual } = command;
  const [first = usual, ...rest] = words;
  if (helpWords.includes(first) || first === "help")
    return { text: `${await parserOf(line, command).getHelp()}\n` };
  const row = Object.hasOwn(commands, first) ? commands[first] : undefined;
  if (row !== undefined) return readLeaf(`${line} ${first}`, row.command, rest);
  const usualRow = commands[usual];
  if (first.startsWith("-") && usualRow !== undefined) return readLeaf(line, usualRow.command, words);
  const mistake = `unknown command ${first}${suggestionFor([first], Object.keys(commands))}`;
  return { mistake, fix: `\`${line} --help\` lists its commands` };
}

async function readLeaf(line: string, command: Command, words: readonly string[]): Promise<ParsedLine> {
  const parser = parserOf(line, command);
  if (words.some((word) => helpWords.includes(word.replace(/=.*/s, ""))))
    return { text: `${await parser.getHelp()}\n` };
  const inJson: InJson = words.includes("--json") ? { refusal: command.refusal } : {};
  const refused = (mistake: string): ParsedLine => ({
    mistake,
    fix: `\`${line} --help\` lists the flags`,
    ...inJson,
  });
  let mistake = inlineProblem(words, command);
  if (mistake !== null) return refused(mistake);
  parser.strict().fail((message) => {
    mistake = `${message}${suggestionForUnknown(message, command)}`;
  });
  const values = await parser.parseAsync([...words]);
  mistake ??= valueProblem(values, command);
  if (mistake !== null) return refused(mistake);
  const task = command.task(new ParsedArgs(values));
  return "problem" in task ? refused(task.problem) : { ...task, ...inJson };
}

/**
 * yargs reads `--dry-run=yes` as false, `-dry-run` as `--dry-run`, and fails at names such as
 * `--constructor`.
 */
function inlineProblem(words: readonly string[], { flags }: Command): string | null {
  for (const word of words) {
    const [, short] = /^-([^-\d.].*)$/s.exec(word) ?? [];
    if (short !== undefined)
      return `Unknown argument: ${word}${suggestionFor([short], Object.keys(flags), "--")}`;
    const [, name = "", value] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (name === "h" || name in Object.prototype) return `Unknown argument: ${name}`;
    if (value === "") return `--${name} needs a value`;
    const isSwitch = Object.hasOwn(flags, name) && flags[name]?.type === "boolean";
    if (isSwitch && value !== undefined && !["true", "false"].includes(value))
      return `--${name} must be true or false, not ${JSON.stringify(value)}`;
  }
  return null;
}

/** Checks for values that yargs accepts and commands do not. */
function valueProblem(values: Readonly<Record<string, unknown>>, { flags }: Command): string | null {
  for (const [name, { type, array }] of Object.entries(flags)) {
    const value = values[name];
    if (type !== "boolean" && array !== true && Array.isArray(value)) return `--${name} is given twice`;
    if ([value].flat().includes("")) return `--${name} needs a value`;
    if (type === "number" && value !== undefined && !/^-?\d+(\.\d+)?$/.test(String(value)))
      return `--${name} must be a number`;
  }
  return null;
}

function suggestionForUnknown(message: string, { flags }: Command): string {
  const [, names = ""] = /^Unknown arguments?: (.*)$/.exec(message) ?? [];
  return names === "" ? "" : suggestionFor(names.split(", "), Object.keys(flags), "--");
}

/** Suggests the nearest known names. Empty without one. */
export function suggestionFor(names: readonly string[], known: readonly string[], dashes = ""): string {
  const meant = new Set(names.flatMap((name) => nearest(name, known) ?? []));
  return meant.size === 0 ? "" : `; did you mean ${[...meant].map((name) => dashes + name).join(" or ")}?`;
}

/** Declares a command for completion in an app: its flags and arguments, with their possible values. */
export function completing(
  parser: Argv,
  command: Command | CommandGroup,
  root: string,
  [, second = ""]: readonly string[] = [],
): Argv {
  if ("commands" in command) {
    for (const [name, { summary, command: one }] of Object.entries(command.commands))
      parser.command(signature(name, one), summary, (inner) => completing(inner, one, root));
    const usual = command.commands[command.usual]?.command;
    const isNamed = Object.hasOwn(command.commands, second);
    return usual === undefined || isNamed ? parser : withFlags(parser, usual, root);
  }
  const { candidates } = command;
  for (const { name } of wordsOf(command))
    parser.positional(name, { choices: candidates?.(root)[name] ?? [] });
  return withFlags(parser, command, root);
}

/** A command with its argument, in yargs syntax. */
export function signature(name: string, command: Command | CommandGroup): string {
  const words = "commands" in command ? [] : wordsOf(command);
  return [name, ...words.map((word) => `[${word.name}]`)].join(" ");
}

function wordsOf({ word, secondWord }: Command): readonly Omit<Word, "missing">[] {
  return [word, secondWord].filter((one) => one !== undefined);
}

/** Prints the completion script to standard output, for the given shell or the one in the environment. */
export function printCompletionScript(shell: string | null): void {
  // yargs takes the shell from the environment only.
  if (shell !== null) process.env["SHELL"] = shell;
  begin("kirak").completion("completion").showCompletionScript();
}

function parserOf(line: string, command: Command | CommandGroup): Argv {
  const parser = begin(line).alias("help", "h");
  if ("commands" in command) {
    for (const [name, { summary }] of Object.entries(command.commands))
      parser.command(name, name === command.usual ? `${summary} [default]` : summary);
    return describe(parser, "<command> ", command);
  }
  const { word } = command;
  const isOptional = word?.missing === null;
  const words = wordsOf(command);
  parser.demandCommand(isOptional ? 0 : words.length, words.length, word?.missing ?? "");
  const usage = words.map(({ name }) => (isOptional ? `[${name}] ` : `<${name}> `));
  return withFlags(describe(parser, usage.join(""), command), command);
}

function describe(parser: Argv, words: string, { about, examples, exitCodes, more }: CommandHelp): Argv {
  parser.usage(`$0 ${words}[flags]\n\n${about}`);
  for (const [line, meaning] of examples) parser.example(`$0 ${line}`.trimEnd(), meaning);
  const codes = Object.entries(exitCodes).map(([code, meaning]) => `  ${code.padEnd(3)} ${meaning}`);
  return parser.epilogue([`Exit codes:`, ...codes, ...(more === undefined ? [] : ["", more])].join("\n"));
}

/** Declares the flags of a command. For completion in an app also their possible values. */
function withFlags(parser: Argv, { flags, candidates }: Command, root: string | null = null): Argv {
  const known = root === null ? {} : (candidates?.(root) ?? {});
  for (const [name, flag] of Object.entries(flags)) parser.option(name, declared(flag, known[name]));
  return parser;
}

function declared({ type, describe, choices, default: usual, array }: Flag, known = choices): Options {
  return {
    describe,
    // yargs reads "" as the number 0.
    type: type === "number" ? "string" : type,
    requiresArg: type !== "boolean",
    ...(known !== undefined && { choices: known }),
    ...(usual !== undefined && { default: usual }),
    ...(array === true && { array, nargs: 1 }),
  };
}

/** A parser. `line` is how the user called the program. */
export function begin(line: string): Argv {
  return yargs([])
    .scriptName(line)
    .locale("en")
    .parserConfiguration({
      "boolean-negation": false,
      "camel-case-expansion": false,
      "dot-notation": false,
      "parse-positional-numbers": false,
      "short-option-groups": false,
    })
    .version(false)
    .help(false)
    .option("help", { type: "boolean", describe: "show this text" })
    .exitProcess(false)
    .wrap(helpColumns);
}
