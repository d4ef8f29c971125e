import { nearest } from "#vocabulary/nearest";
import { commandTable } from "./command-table.ts";
import type { Command, CommandGroup, Ended } from "./define-command.ts";
import { overview } from "./overview.ts";
import { ownPackage } from "./own-package.ts";
import { helpOf, helpOfGroup, readWords } from "./parser.ts";
import { wordProblems } from "./word-problems.ts";

/** What a command line asks for: a text, something to do, or what nobody understands. */
export type Asked =
  | { readonly text: string }
  | ({ readonly wanted: unknown; readonly run: (root: string) => Ended } & InJson)
  | ({ readonly misuse: string; readonly fix: string } & InJson);

/** How it is said that nothing can be done, where JSON is asked for. */
interface InJson {
  readonly refusal?: Command["refusal"];
}

const helpWords: readonly string[] = ["--help", "-h"];
const versionWords: readonly string[] = ["--version", "-v"];

/** Reads a line that begins with no command: `kirak`, `kirak --help`, or a mistake. The program is called by `program`. */
export function readNoCommand(first = "--help", program = "kirak"): Asked {
  if (helpWords.includes(first) || first === "help") return { text: overview() };
  if (versionWords.includes(first)) return { text: `${ownPackage().version}\n` };
  const fix = `\`${program} --help\` lists the commands`;
  if (first.startsWith("-")) return { misuse: `a command comes first, and ${first} is none`, fix };
  const known = commandTable.map(({ name }) => name);
  return { misuse: `unknown command ${first}${question(first, known)}`, fix };
}

/** Reads the words after the name of a command, which is called by `line`, such as `kirak migrate`. */
export async function readCommand(
  line: string,
  command: Command | CommandGroup,
  words: readonly string[],
): Promise<Asked> {
  return "commands" in command ? readGroup(line, command, words) : readLeaf(line, command, words);
}

async function readGroup(line: string, group: CommandGroup, words: readonly string[]): Promise<Asked> {
  const [first = group.usual, ...rest] = words;
  if (helpWords.includes(first) || first === "help") return { text: `${await helpOfGroup(line, group)}\n` };
  const known = Object.keys(group.commands);
  const fix = `\`${line} --help\` lists its commands`;
  if (!first.startsWith("-")) {
    const row = Object.hasOwn(group.commands, first) ? group.commands[first] : undefined;
    if (row !== undefined) return readLeaf(`${line} ${first}`, row.command, rest);
    return { misuse: `unknown command ${first}${question(first, known)}`, fix };
  }
  const displaced = words.find((word) => known.includes(word));
  if (displaced !== undefined)
    return { misuse: `${displaced} comes first: ${line} ${displaced} ${first}`, fix };
  const usual = group.commands[group.usual];
  if (usual === undefined) throw new Error(`${line} has no command ${group.usual}`);
  return readLeaf(line, usual.command, words);
}

async function readLeaf(line: string, command: Command, words: readonly string[]): Promise<Asked> {
  if (words.some((word) => helpWords.includes(word))) return { text: `${await helpOf(line, command)}\n` };
  const fix = `\`${line} --help\` lists the flags`;
  const inJson: InJson = words.includes("--json") ? { refusal: command.refusal } : {};
  const refused = (misuse: string): Asked => ({ misuse, fix, ...inJson });
  const problem = wordProblems(words, command);
  if (problem !== null) return refused(problem);
  const given = await readWords(words, command);
  const missing = command.word?.missing ?? null;
  if (missing !== null && given.words.length === 0) return refused(missing);
  const task = command.task(given);
  return "problem" in task ? refused(task.problem) : { ...task, ...inJson };
}

function question(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return meant === null ? "" : `; did you mean ${meant}?`;
}
