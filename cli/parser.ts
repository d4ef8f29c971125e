import yargs, { type Argv, type Options } from "yargs";
import type { Command, CommandGroup, Flag, Told } from "./define-command.ts";
import { Given } from "./given.ts";
import { helpFlag } from "./word-problems.ts";

/** The widest that help gets. */
const columns = 100;

/** What yargs makes of the words of a command. There is nothing wrong with them one by one. */
export async function readWords(words: readonly string[], command: Command): Promise<Given> {
  return new Given({ ...(await parserOf("kirak", command).parseAsync([...words])) });
}

/** The help of a command that is called by `line`, such as `kirak migrate down`. */
export function helpOf(line: string, command: Command): Promise<string> {
  return parserOf(line, command).getHelp();
}

/** The help of a group, with its commands. */
export function helpOfGroup(line: string, group: CommandGroup): Promise<string> {
  const parser = toldBy(begin(line), "<command> [flags]", group);
  for (const [name, { summary }] of Object.entries(group.commands))
    parser.command(name, name === group.usual ? `${summary} [when none is named]` : summary);
  return parser.getHelp();
}

/** What may come next on a command line, as a shell asks for it; the last word is the one that is being typed. */
export async function completionsOf(words: readonly string[], command: Command): Promise<string[]> {
  const found = await parserOf("kirak", command).getCompletion([...words]);
  // The short form of `--help`, as yargs would have it after two dashes.
  return found.filter((one) => !/^--h(?![a-z])/.test(one));
}

function parserOf(line: string, command: Command): Argv {
  const { word, flags } = command;
  const given = word === undefined ? "" : word.missing === null ? `[${word.name}] ` : `<${word.name}> `;
  const parser = toldBy(begin(line), `${given}[flags]`, command);
  for (const [name, flag] of Object.entries(flags)) parser.option(name, declared(flag));
  return parser;
}

function declared({ type, describe, choices, default: usual, array }: Flag): Options {
  return {
    describe,
    type,
    ...(choices !== undefined && { choices }),
    ...(usual !== undefined && { default: usual }),
    ...(array === true && { array, nargs: 1 }),
  };
}

function begin(line: string): Argv {
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
    .option("help", { ...helpFlag.help, alias: "h" })
    .exitProcess(false)
    .fail((message, error) => {
      throw error ?? new Error(message);
    })
    .wrap(columns);
}

function toldBy(parser: Argv, usage: string, { about, examples, exitCodes, more }: Told): Argv {
  parser.usage(`$0 ${usage}\n\n${about}`);
  for (const [line, meaning] of examples) parser.example(`$0 ${line}`.trimEnd(), meaning);
  const codes = Object.entries(exitCodes).map(([code, meaning]) => `  ${code.padEnd(3)} ${meaning}`);
  return parser.epilogue([`Exit codes:`, ...codes, ...(more === undefined ? [] : ["", more])].join("\n"));
}
