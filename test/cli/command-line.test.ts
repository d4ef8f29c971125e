import { expect, test } from "vitest";
import { type ParsedLine, readCommand } from "#cli/command-line";
import { defineCommand } from "#cli/define-command";
import { readNoCommand } from "#cli/overview";

const saved: unknown[] = [];

const save = defineCommand({
  about: "Saves something.",
  flags: {
    place: { type: "string", describe: "where" },
    format: { type: "string", describe: "how", choices: ["text", "json"], default: "text" },
    times: { type: "number", describe: "how often", default: 1 },
    only: { type: "string", array: true, describe: "what" },
    "dry-run": { type: "boolean", describe: "do nothing" },
    json: { type: "boolean", describe: "as JSON" },
  },
  word: { name: "thing", describe: "what is saved", missing: "save needs the name of a thing" },
  examples: [["book --times 3", "a book, three times"]],
  exitCodes: { 0: "saved", 2: "bad flags" },
  refusal: (message, fix) => JSON.stringify({ message, fix }),
  read: (given) => ({
    thing: given.words[0],
    place: given.text("place"),
    format: given.text("format"),
    times: given.number("times"),
    only: given.texts("only"),
    dryRun: given.has("dry-run"),
  }),
  problem: ({ times }) => (Number(times) > 9 ? "--times is at most 9" : null),
  async run(input, root) {
    saved.push([input, root]);
    return 3;
  },
});
const list = defineCommand({
  about: "Lists all.",
  flags: { json: { type: "boolean", describe: "as JSON" } },
  examples: [["", "all of them"]],
  exitCodes: { 0: "listed" },
  read: (given) => ({ json: given.has("json") }),
  async run(input) {
    saved.push(input);
    return 0;
  },
});
const things = {
  about: "Keeps things.",
  commands: { list: { summary: "lists them", command: list }, save: { summary: "saves one", command: save } },
  usual: "list",
  examples: [["save book", "keep a book"]],
  exitCodes: { 0: "done" },
} as const;

const read = (line: string) => readCommand("kirak things", things, words(line));
const words = (line: string) =>
  line.split(" ").flatMap((word) => (word === "" ? [] : [word.replaceAll("+", " ").replace("''", "")]));

async function done(asked: Promise<ParsedLine>): Promise<unknown> {
  const result = await asked;
  if (!("run" in result)) throw new Error(JSON.stringify(result));
  saved.length = 0;
  return [await result.run("/app"), ...saved];
}

test("values are those of the flags or their defaults, in the project's folder", async () => {
  const usual = { thing: "book", format: "text", times: 1, only: [], dryRun: false, place: null };
  expect(await done(read("save book"))).toEqual([3, [usual, "/app"]]);
  expect(
    await done(
      read("save book --times -2 --place=a+b --only a --only=-b --dry-run --format json --json=false"),
    ),
  ).toEqual([
    3,
    [{ ...usual, times: -2, place: "a b", only: ["a", "-b"], dryRun: true, format: "json" }, "/app"],
  ]);
  expect(await done(read("save --dry-run=false 0007"))).toEqual([3, [{ ...usual, thing: "0007" }, "/app"]]);
});

test.each([
  ["", { json: false }],
  ["--json", { json: true }],
  ["list --json", { json: true }],
])("kirak things %s runs the usual command where none is named", async (line, input) => {
  expect(await done(read(line))).toEqual([0, input]);
});

const flags = "`kirak things save --help` lists the flags";

// biome-ignore format: one case a line
test.each([
  ["save", "save needs the name of a thing", flags],
  ["save book pen", "Unknown argument: pen", flags],
  ["save book dryrun 7", "Unknown arguments: dryrun, 7; did you mean --dry-run?", flags],
  ["save book --dryrun", "Unknown argument: dryrun; did you mean --dry-run?", flags],
  ["save book --dryRun", "Unknown argument: dryRun; did you mean --dry-run?", flags],
  ["save book --zzzzzzz -x", "Unknown argument: -x", flags],
  ["save book --constructor=1", "Unknown argument: constructor", flags],
  ["save book --toString", "Unknown argument: toString", flags],
  ["save book --__proto__ 1", "Unknown argument: __proto__", flags],
  ["save book --a.b=1", "Unknown argument: a.b", flags],
  ["save book --place", "Not enough arguments following: place", flags],
  ["save book --place --dry-run", "Not enough arguments following: place", flags],
  ["save book --place=", "--place needs a value", flags],
  ["save book --place ''", "--place needs a value", flags],
  ["save book --only", "Not enough arguments following: only", flags],
  ["save book --only ''", "--only needs a value", flags],
  ["save book --place a --place b", "--place is given twice", flags],
  ["save book --times x", "--times must be a number", flags],
  ["save book --times=", "--times needs a value", flags],
  ["save book --times 10", "--times is at most 9", flags],
  ["save book --format jsn", 'Invalid values:\n  Argument: format, Given: "jsn", Choices: "text", "json"', flags],
  ["save book --dry-run=yes", '--dry-run must be true or false, not "yes"', flags],
  ["save book --dry-run=", "--dry-run needs a value", flags],
  ["save book --no-dry-run", "Unknown argument: no-dry-run; did you mean --dry-run?", flags],
  ["lsit", "unknown command lsit; did you mean list?", "`kirak things --help` lists its commands"],
  ["toString", "unknown command toString", "`kirak things --help` lists its commands"],
  ["--json save book", "Unknown arguments: save, book", "`kirak things --help` lists the flags"],
])("kirak things %s is not understood", async (line, mistake, fix) => {
  expect(await read(line)).toMatchObject({ mistake, fix });
});

test("with --json, usage errors are JSON as well", async () => {
  const asked = await read("save --json");
  const text = "refusal" in asked ? asked.refusal?.("a", "b") : null;
  expect(text).toBe('{"message":"a","fix":"b"}');
});

test.each(["save --help", "save -h", "save --zzz --help", "save book --place --help"])(
  "kirak things %s tells of its flags, with examples and exit codes",
  async (line) => {
    const asked = await read(line);
    const text = "text" in asked ? asked.text : "";
    expect(text).toMatch(/^kirak things save <thing> \[flags\]\n\nSaves something\.\n/);
    for (const part of [/ --format .*how.*"text", "json".*default: "text"/s, /-h, --help/, /Examples:/])
      expect(text).toMatch(part);
    expect(text).toContain("kirak things save book --times 3  a book, three times");
    expect(text).toContain("Exit codes:\n  0   saved\n  2   bad flags\n");
  },
);

test.each(["--help", "-h", "help"])("kirak things %s lists its commands", async (line) => {
  const asked = await read(line);
  const text = "text" in asked ? asked.text : "";
  expect(text).toMatch(/list +lists them \[default\]\n.*save +saves one\n/);
});

test("help is in English in every locale of the shell", async () => {
  const before = process.env["LC_ALL"];
  process.env["LC_ALL"] = "de_DE.UTF-8";
  const asked = await read("save --help");
  if (before === undefined) delete process.env["LC_ALL"];
  else process.env["LC_ALL"] = before;
  expect("text" in asked && asked.text).toContain("Options:");
});

test.each([
  ["generaet", "unknown command generaet; did you mean generate?"],
  ["zzz", "unknown command zzz"],
  ["secrts", "unknown command secrts; did you mean secrets?"],
  ["__proto__", "unknown command __proto__"],
  ["--json", "expected a command, got --json"],
])("kirak %s is not understood", (word, mistake) => {
  expect(readNoCommand(word)).toEqual({ mistake, fix: "`kirak --help` lists the commands" });
});

test("kirak without a command, and kirak --help, list all commands; kirak --version is that of the package", () => {
  const overview = readNoCommand();
  expect("text" in overview && overview.text).toContain("secrets        creates the secrets");
  expect(readNoCommand("--help")).toEqual(overview);
  expect(readNoCommand("help")).toEqual(overview);
  for (const word of ["--version", "-v"])
    expect(readNoCommand(word)).toEqual({ text: expect.stringMatching(/^\d+\.\d+\.\d+\S*\n$/) });
});
