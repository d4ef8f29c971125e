import { parseArgs } from "node:util";
import { nearest, suggestion } from "#vocabulary/nearest";
import type { Command, FlagTable } from "./define-command.ts";

/** Each command has it. */
export const helpFlag = { help: { type: "boolean", describe: "show this text" } } as const;

/** What is wrong with the words of a command one by one, in lines; null where nothing is. What yargs reads is in order then. */
export function wordProblems(words: readonly string[], { flags, word }: Command): string | null {
  const table: FlagTable = { ...flags, ...helpFlag };
  const options = Object.fromEntries(
    Object.entries(table).map(([name, { type }]) => [name, readAs(type, name)]),
  );
  const { tokens } = parseArgs({ args: [...words], options, strict: false, tokens: true });
  const given = tokens.flatMap((token) => (token.kind === "option" ? [token] : []));
  const stray = tokens.flatMap((token) => (token.kind === "positional" ? [token.value] : []));
  const ofFlags = [...given.map((token) => flagProblem(token, table)), repeated(given, table)];
  const wrong = ofFlags.filter((problem) => problem !== null);
  // A value that found no flag is no mistake of its own.
  const said = wrong.length > 0 ? wrong : strays(stray.slice(word === undefined ? 0 : 1), Object.keys(table));
  return said.length === 0 ? null : [...new Set(said)].join("\n");
}

function strays(words: readonly string[], known: readonly string[]): string[] {
  return words.map((word) => `${JSON.stringify(word)} is no flag${question(word, known)}`);
}

function readAs(type: FlagTable[string]["type"], name: string) {
  const short = name === "help" ? { short: "h" } : {};
  return { type: type === "boolean" ? type : ("string" as const), ...short };
}

interface Token {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function flagProblem({ name, rawName, value, inlineValue }: Token, table: FlagTable): string | null {
  const flag = Object.hasOwn(table, name) ? table[name] : undefined;
  if (flag === undefined) return unknownFlag(rawName, Object.keys(table));
  if (flag.type === "boolean")
    return value === undefined || value === "true" || value === "false"
      ? null
      : `${rawName}=${value} is neither true nor false`;
  const isFlag = inlineValue !== true && /^-(?!\d)/.test(value ?? "");
  if (value === undefined || value === "" || isFlag) return `${rawName} needs a value`;
  if (flag.type === "number" && !/^-?\d+(\.\d+)?$/.test(value))
    return `${rawName} is a number, not ${JSON.stringify(value)}`;
  const { choices } = flag;
  if (choices === undefined || choices.includes(value)) return null;
  return `${rawName} is ${choices.join(" or ")}, not ${JSON.stringify(value)}${suggestion(value, choices)}`;
}

function repeated(given: readonly Token[], table: FlagTable): string | null {
  const names = given.map(({ name }) => name);
  const twice = names.find(
    (name, index) =>
      names.indexOf(name) !== index && table[name]?.array !== true && table[name]?.type !== "boolean",
  );
  return twice === undefined ? null : `--${twice} stands twice`;
}

/** `given` has its dashes, and `known` are names without them. */
function unknownFlag(given: string, known: readonly string[]): string {
  return `unknown flag ${given}${question(given.replace(/^-+/, ""), known)}`;
}

function question(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return meant === null ? "" : `; did you mean --${meant}?`;
}
