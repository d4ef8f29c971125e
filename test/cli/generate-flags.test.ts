import { expect, test } from "vitest";
import { command } from "#cli/commands/generate";
import { asked } from "./support/asked.ts";

const parsed = (words: readonly string[]) => asked(command, words);

test("without flags the files stand where the repository has them", async () => {
  // biome-ignore format: many a line
  expect(await parsed([])).toEqual({
    input: {
      models: "models/models.json", manifest: "models/manifest.json", out: "generated", check: false,
      lint: false, watch: false, dryRun: false, printDefinition: false, json: false, force: false,
      accepted: [], rebase: [], base: null, report: "text", newMigration: null,
    },
  });
});

test("--base names a commit, --report how to print", async () => {
  expect(await parsed(["--check", "--base", "origin/main", "--report=markdown"])).toMatchObject({
    input: { base: "origin/main", report: "markdown", check: true },
  });
});

test("--accept-destructive may be repeated", async () => {
  const words = ["--accept-destructive", "drop_column:a.b", "--check", "--accept-destructive=drop_table:c"];
  expect(await parsed(words)).toMatchObject({
    input: { accepted: ["drop_column:a.b", "drop_table:c"], check: true },
  });
});

test("--rebase may be repeated, and goes with --dry-run", async () => {
  expect(await parsed(["--rebase", "0002_a", "--dry-run", "--rebase=0003_b"])).toMatchObject({
    input: { rebase: ["0002_a", "0003_b"], dryRun: true },
  });
});

// biome-ignore format: one case a line
test.each([
  [["--new-migration", "a", "--check"], "--new-migration and --check cannot be combined"],
  [["--new-migration", "a", "--json"], "--new-migration and --json cannot be combined"],
  [["--new-migration", "Add it"], '--new-migration takes a name such as add_trigram, not "Add it"'],
  [["--new-migration", "../x"], '--new-migration takes a name such as add_trigram, not "../x"'],
  [["--new-migration"], "Not enough arguments following: new-migration"],
  [["--rebase", "0002_a", "--check"], "--rebase and --check cannot be combined"],
  [["--rebase", "0002_a", "--watch"], "--rebase and --watch cannot be combined"],
  [["--lint", "--base", "main"], "--lint only reads the models: remove --base"],
  [["--lint", "--force", "--accept-destructive", "drop_table:a"], "--lint only reads the models: remove --force, --accept-destructive"],
  [["--lint", "--rebase", "0002_a"], "--lint only reads the models: remove --rebase"],
  [["--lint", "--report", "markdown"], "--lint only reads the models: remove --report markdown"],
  [["--print-definition", "--base", "main", "--report", "markdown"], "--print-definition only reads the models: remove --base, --report markdown"],
  [["--base"], "Not enough arguments following: base"],
  [["--base", "--output=x"], "Not enough arguments following: base"],
  [["--base=a", "--base=b"], "--base is given twice"],
  [["--report", "html"], 'Invalid values:\n  Argument: report, Given: "html", Choices: "text", "markdown"'],
  [["--json", "--report", "markdown"], "--json and --report markdown cannot be combined"],
  [["--rebase"], "Not enough arguments following: rebase"],
  [["--chekc"], "Unknown argument: chekc; did you mean --check?"],
  [["--dryrun"], "Unknown argument: dryrun; did you mean --dry-run?"],
  [["--zzzzzz"], "Unknown argument: zzzzzz"],
  [["extra"], "Unknown argument: extra"],
  [["chekc", "7"], "Unknown arguments: chekc, 7; did you mean --check?"],
  [["--models", "a.json", "--models", "b.json"], "--models is given twice"],
  [["--check=1"], '--check must be true or false, not "1"'],
  [["--dryRun=yes"], "Unknown argument: dryRun; did you mean --dry-run?"],
  [["--dry-run=flase"], '--dry-run must be true or false, not "flase"'],
  [["--force="], "--force needs a value"],
  [["--check", "no"], "Unknown argument: no"],
  [["--check", "--watch"], "--check and --watch cannot be combined"],
  [["--out"], "Not enough arguments following: out"],
  [["--accept-destructive"], "Not enough arguments following: accept-destructive"],
])("%j is an error", async (words, error) => {
  expect(await parsed(words)).toEqual({ mistake: error });
});

test("a switch may be written out", async () => {
  expect(await parsed(["--check=true", "--json=false"])).toMatchObject({
    input: { check: true, json: false },
  });
});
