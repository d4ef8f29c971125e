import { expect, test } from "vitest";
import { command } from "#cli/commands/generate";
import { asked } from "./support/asked.ts";

const parsed = (words: readonly string[]) => asked(command, words);

test("without flags the files stand where the repository has them", async () => {
  expect(await parsed([])).toEqual({
    wanted: {
      models: "models/models.json",
      manifest: "models/manifest.json",
      out: "generated",
      check: false,
      lint: false,
      watch: false,
      dryRun: false,
      printDefinition: false,
      json: false,
      force: false,
      accepted: [],
      rebase: [],
      base: null,
      report: "text",
      newMigration: null,
    },
  });
});

test("--base names a commit, --report how to print", async () => {
  expect(await parsed(["--check", "--base", "origin/main", "--report=markdown"])).toMatchObject({
    wanted: { base: "origin/main", report: "markdown", check: true },
  });
});

test("--accept-destructive may be repeated", async () => {
  const words = ["--accept-destructive", "drop_column:a.b", "--check", "--accept-destructive=drop_table:c"];
  expect(await parsed(words)).toMatchObject({
    wanted: { accepted: ["drop_column:a.b", "drop_table:c"], check: true },
  });
});

test("--rebase may be repeated, and goes with --dry-run", async () => {
  expect(await parsed(["--rebase", "0002_a", "--dry-run", "--rebase=0003_b"])).toMatchObject({
    wanted: { rebase: ["0002_a", "0003_b"], dryRun: true },
  });
});

test.each([
  [["--new-migration", "a", "--check"], "--new-migration and --check exclude each other"],
  [["--new-migration", "a", "--json"], "--new-migration and --json exclude each other"],
  [["--new-migration", "Add it"], '--new-migration takes a name such as add_trigram, not "Add it"'],
  [["--new-migration", "../x"], '--new-migration takes a name such as add_trigram, not "../x"'],
  [["--new-migration"], "--new-migration needs a value"],
  [["--rebase", "0002_a", "--check"], "--rebase and --check exclude each other"],
  [["--rebase", "0002_a", "--watch"], "--rebase and --watch exclude each other"],
  [["--lint", "--base", "main"], "--lint only reads the models: leave --base out"],
  [
    ["--lint", "--force", "--accept-destructive", "drop_table:a"],
    "--lint only reads the models: leave --force, --accept-destructive out",
  ],
  [["--lint", "--rebase", "0002_a"], "--lint only reads the models: leave --rebase out"],
  [["--lint", "--report", "markdown"], "--lint only reads the models: leave --report markdown out"],
  [
    ["--print-definition", "--base", "main", "--report", "markdown"],
    "--print-definition only reads the models: leave --base, --report markdown out",
  ],
  [["--base"], "--base needs a value"],
  [["--base", "--output=x"], "--base needs a value"],
  [["--base=a", "--base=b"], "--base stands twice"],
  [["--report", "html"], '--report is text or markdown, not "html"'],
  [["--json", "--report", "markdown"], "--json and --report markdown exclude each other"],
  [["--rebase"], "--rebase needs a value"],
  [["--chekc"], "unknown flag --chekc; did you mean --check?"],
  [["--dryrun"], "unknown flag --dryrun; did you mean --dry-run?"],
  [["--zzzzzz"], "unknown flag --zzzzzz"],
  [["extra"], '"extra" is no flag'],
  [["chekc", "7"], '"chekc" is no flag; did you mean --check?\n"7" is no flag'],
  [["--models", "a.json", "--models", "b.json"], "--models stands twice"],
  [["--check=1"], "--check=1 is neither true nor false"],
  [["--dryRun=yes"], "unknown flag --dryRun; did you mean --dry-run?"],
  [["--dry-run=flase"], "--dry-run=flase is neither true nor false"],
  [["--force="], "--force= is neither true nor false"],
  [["--check", "no"], '"no" is no flag'],
  [["--check", "--watch"], "--check and --watch exclude each other"],
  [["--out"], "--out needs a value"],
  [["--accept-destructive"], "--accept-destructive needs a value"],
])("%j is an error", async (words, error) => {
  expect(await parsed(words)).toEqual({ misuse: error });
});

test("a switch may be written out", async () => {
  expect(await parsed(["--check=true", "--json=false"])).toMatchObject({
    wanted: { check: true, json: false },
  });
});
