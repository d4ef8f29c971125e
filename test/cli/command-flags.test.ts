import { describe, expect, test } from "vitest";
import { command as jobs } from "../../cli/commands/jobs.ts";
import { command as purge } from "../../cli/commands/purge.ts";
import { command as token } from "../../cli/commands/token.ts";
import { asked } from "./support/asked.ts";

const words = (line: string) => line.split(" ").filter((word) => word !== "");

describe("kirak jobs", () => {
  test.each([
    ["", { command: "list", json: false }],
    ["list", { command: "list", json: false }],
    ["--json", { command: "list", json: true }],
    ["retry 42", { command: "retry", id: "42" }],
    ["remove 9", { command: "remove", id: "9" }],
  ])("%s", async (line, wanted) => {
    expect(await asked(jobs, words(line))).toEqual({ wanted });
  });

  test.each([
    ["lst", "unknown command lst; did you mean list?"],
    ["__proto__ 1", "unknown command __proto__"],
    ["retry", "retry needs the id of a job"],
    ["retry 0", 'retry needs the id of a job, and "0" is none'],
    ["remove 1e3", 'remove needs the id of a job, and "1e3" is none'],
    ["remove 9223372036854775808", 'remove needs the id of a job, and "9223372036854775808" is none'],
    ["remove 1;drop", 'remove needs the id of a job, and "1;drop" is none'],
    ["retry 1 2", '"2" is no flag'],
    ["retry 1 --json", "unknown flag --json"],
    ["--all", "unknown flag --all"],
  ])("not %s", async (line, misuse) => {
    expect(await asked(jobs, words(line))).toEqual({ misuse });
  });
});

describe("kirak purge", () => {
  test("takes no words", async () => {
    expect(await asked(purge, [])).toEqual({ wanted: null });
    expect(await asked(purge, ["all"])).toEqual({ misuse: '"all" is no flag' });
  });
});

describe("kirak token", () => {
  const usual = { role: "user", user: "1", email: "", minutes: 60 };

  test.each([
    ["", usual],
    ["--role staff --user 7", { ...usual, role: "staff", user: "7" }],
    ["--email=ann@example.com --minutes -5", { ...usual, email: "ann@example.com", minutes: -5 }],
    ["--minutes 0.5", { ...usual, minutes: 0.5 }],
  ])("%s", async (line, wanted) => {
    expect(await asked(token, words(line))).toEqual({ wanted });
  });

  test.each([
    ["--role=", "--role needs a value"],
    ["--user --role staff", "--user needs a value"],
    ["--minutes soon", '--minutes is a number, not "soon"'],
    ["--rol staff", "unknown flag --rol; did you mean --role?"],
    ["admin", '"admin" is no flag'],
    ...["signed_in", "*"].map((role) => [
      `--role ${role}`,
      `"${role}" stands for the roles of many in access rules, and no token has it as its role`,
    ]),
  ])("not %s", async (line, misuse) => {
    expect(await asked(token, words(line))).toEqual({ misuse });
  });
});
