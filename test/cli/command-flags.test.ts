import { describe, expect, test } from "vitest";
import { command as createAdmin } from "#cli/commands/create-admin";
import { command as init } from "#cli/commands/init";
import { command as jobs } from "#cli/commands/jobs";
import { command as migrate } from "#cli/commands/migrate";
import { command as purge } from "#cli/commands/purge";
import { command as token } from "#cli/commands/token";
import { command as worker } from "#cli/commands/worker";
import { asked } from "./support/asked.ts";

const words = (line: string) => line.split(" ").filter((word) => word !== "");

describe("kirak jobs", () => {
  test.each([
    ["", { command: "list", json: false }],
    ["list", { command: "list", json: false }],
    ["--json", { command: "list", json: true }],
    ["retry 42", { command: "retry", id: "42" }],
    ["remove 9", { command: "remove", id: "9" }],
  ])("%s", async (line, input) => {
    expect(await asked(jobs, words(line))).toEqual({ input });
  });

  test.each([
    ["lst", "unknown command lst; did you mean list?"],
    ["__proto__ 1", "unknown command __proto__"],
    ["retry", "retry needs the id of a job"],
    ["retry 0", 'retry needs the id of a job; "0" is not an id'],
    ["remove 1e3", 'remove needs the id of a job; "1e3" is not an id'],
    ["remove 9223372036854775808", 'remove needs the id of a job; "9223372036854775808" is not an id'],
    ["remove 1;drop", 'remove needs the id of a job; "1;drop" is not an id'],
    ["retry 1 2", "Unknown argument: 2"],
    ["retry 1 --json", "Unknown argument: json"],
    ["--all", "Unknown argument: all"],
  ])("not %s", async (line, mistake) => {
    expect(await asked(jobs, words(line))).toEqual({ mistake });
  });
});

describe("kirak init", () => {
  const usual = { folder: "shop", example: null, fromDatabase: null, schema: null, kirak: null };
  const switches = { git: true, install: false, noInstall: false };

  test.each([
    ["shop", switches],
    ["shop --install --no-git", { ...switches, git: false, install: true }],
    ["--no-install shop", { ...switches, noInstall: true }],
  ])("%s", async (line, input) => {
    expect(await asked(init, words(line))).toEqual({ input: { ...usual, ...input } });
  });

  test.each([
    ["", "init needs a folder, such as my-app; . is the current folder"],
    ["shop --install --no-install", "--install and --no-install cannot be combined"],
    ["shop --schema sales", "--schema selects tables of --from-database: add --from-database"],
  ])("not %s", async (line, mistake) => {
    expect(await asked(init, words(line))).toEqual({ mistake });
  });
});

describe("kirak purge", () => {
  test("takes no words", async () => {
    expect(await asked(purge, [])).toEqual({ input: null });
    expect(await asked(purge, ["all"])).toEqual({ mistake: "Unknown argument: all" });
  });
});

describe("kirak token", () => {
  const usual = { role: "user", user: "1", email: "", minutes: 60 };

  test.each([
    ["", usual],
    ["--role staff --user 7", { ...usual, role: "staff", user: "7" }],
    ["--email=ann@example.com --minutes -5", { ...usual, email: "ann@example.com", minutes: -5 }],
    ["--minutes 0.5", { ...usual, minutes: 0.5 }],
  ])("%s", async (line, input) => {
    expect(await asked(token, words(line))).toEqual({ input });
  });

  test.each([
    ["--role=", "--role needs a value"],
    ["--user --role staff", "Not enough arguments following: user"],
    ["--minutes soon", "--minutes must be a number"],
    ["--minutes 1e3", "--minutes must be a number"],
    ["--minutes Infinity", "--minutes must be a number"],
    ["-minutes=", "Unknown argument: -minutes=; did you mean --minutes?"],
    ["-role staff", "Unknown argument: -role; did you mean --role?"],
    ["--rol staff", "Unknown argument: rol; did you mean --role?"],
    ["admin", "Unknown argument: admin"],
    ...["signed_in", "*"].map((role) => [
      `--role ${role}`,
      `"${role}" stands for several roles in access rules; a token cannot have it as its role`,
    ]),
    [
      "--role self",
      '"self" stands for the owner of the account in access rules; a token cannot have it as its role',
    ],
  ])("not %s", async (line, mistake) => {
    expect(await asked(token, words(line))).toEqual({ mistake });
  });
});

test("an empty value is refused, not read as 0", async () => {
  expect(await asked(token, ["--minutes", ""])).toEqual({ mistake: "--minutes needs a value" });
});

describe("kirak migrate", () => {
  // biome-ignore format: one case a line
  test.each([
    ["", { command: "up", dryRun: false }],
    ["up --to 0002_x", { command: "up", to: "0002_x", dryRun: false }],
    ["--dry-run", { command: "up", dryRun: true }],
    ["down", { command: "down", dryRun: false, acceptDataLoss: false }],
    ["down --to=0001_a --accept-data-loss --dry-run", { command: "down", to: "0001_a", dryRun: true, acceptDataLoss: true }],
    ["status", { command: "status", json: false }],
    ["status --json", { command: "status", json: true }],
    ["verify", { command: "verify", json: false, strict: false }],
    ["verify --json --strict", { command: "verify", json: true, strict: true }],
    ["baseline 0001_baseline", { command: "baseline", to: "0001_baseline", unverified: false }],
    ["baseline 0001_baseline --unverified", { command: "baseline", to: "0001_baseline", unverified: true }],
  ])("%s", async (line, input) => {
    expect(await asked(migrate, words(line))).toEqual({ input });
  });

  test.each([
    ["sideways", "unknown command sideways"],
    ["dwon", "unknown command dwon; did you mean down?"],
    ["toString", "unknown command toString"],
    ["up 0002_x", "Unknown argument: 0002_x"],
    ["up --to", "Not enough arguments following: to"],
    ["up --to a --to b", "--to is given twice"],
    ["up --accept-data-loss", "Unknown argument: accept-data-loss"],
    ["up --json", "Unknown argument: json"],
    ["down --force", "Unknown argument: force"],
    ["down -dry-run=yes", "Unknown argument: -dry-run=yes"],
    ["down -dry-run", "Unknown argument: -dry-run; did you mean --dry-run?"],
    ["down -help", "Unknown argument: -help"],
    ["down --h", "Unknown argument: h"],
    ["down -constructor", "Unknown argument: -constructor"],
    ["status --dry-run", "Unknown argument: dry-run"],
    ["status extra", "Unknown argument: extra"],
    ["status --strict", "Unknown argument: strict"],
    ["verify --dry-run", "Unknown argument: dry-run"],
    ["baseline", "baseline needs the name of a migration"],
    ["verify --unverified", "Unknown argument: unverified"],
    ["baseline 0001_a 0002_b", "Unknown argument: 0002_b"],
    ["baseline 0001_a --dry-run", "Unknown argument: dry-run"],
    ["--dry-run down", "Unknown argument: down"],
  ])("not %s", async (line, mistake) => {
    expect(await asked(migrate, words(line))).toEqual({ mistake });
  });
});

describe("kirak create-admin", () => {
  test.each([
    ["", { email: null, role: "admin", names: {} }],
    [
      "--email bob@example.com --role staff --first-name Bob --last-name=Lee",
      { email: "bob@example.com", role: "staff", names: { first_name: "Bob", last_name: "Lee" } },
    ],
  ])("%s", async (line, input) => {
    expect(await asked(createAdmin, words(line))).toEqual({ input });
  });

  test.each([
    ["--password x", "Unknown argument: password"],
    ["--role=", "--role needs a value"],
    ["bob@example.com", "Unknown argument: bob@example.com"],
  ])("not %s", async (line, mistake) => {
    expect(await asked(createAdmin, words(line))).toEqual({ mistake });
  });
});

describe("kirak worker", () => {
  test.each([
    ["", null],
    ["--concurrency 1", 1],
    ["--concurrency=100", 100],
  ])("%s", async (line, input) => {
    expect(await asked(worker, words(line))).toEqual({ input });
  });

  // biome-ignore format: one case a line
  test.each([
    ...["0", "101", "2.5", "-3"].map((number) => [`--concurrency ${number}`, "--concurrency must be a whole number from 1 to 100"]),
    ["--concurrency many", "--concurrency must be a number"],
    ["--concurency 5", "Unknown argument: concurency; did you mean --concurrency?"],
  ])("not %s", async (line, mistake) => {
    expect(await asked(worker, words(line))).toEqual({ mistake });
  });
});
