import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type AccessReport, countOf } from "#cli/check-access/access-report";
import { junitReport, printAccessReport } from "#cli/check-access/print-report";
import { project, repository } from "../../generator/support/project.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { kirak } from "../support/kirak.ts";

const blank = join(repository, "examples", "blank");

describe("the command", () => {
  test("prints JSON with the numbers of its cells, writes a JUnit report, and ends with 0", async () => {
    const words = ["check-access", "--model", "notebooks", "--operation", "fetch"];
    const [asJson, asText] = [
      await kirak(blank, [...words, "--json"]),
      await kirak(blank, [...words, "--junit", join(temporaryFolder("kirak-junit-"), "access.xml")]),
    ];
    expect([asJson.status, asJson.stderr]).toEqual([0, ""]);
    const report: AccessReport = JSON.parse(asJson.stdout);
    expect(Object.keys(report)).toEqual([
      ...[
        "cells",
        "dead",
        "covered",
        "forgets_tenant",
        "not_covered_by_rules",
        "passed",
        "failed",
        "not_tried",
      ],
    ]);
    expect(report.passed).toBe(countOf(report.cells, "passed"));
    expect(report.passed).toBeGreaterThan(5);
    expect(new Set(report.cells.map(({ operation }) => operation))).toEqual(new Set(["fetch"]));
    const last = `${report.passed} passed, 0 failed, ${report.not_tried} not tried`;
    expect([asText.status, asText.stdout.trimEnd().split("\n").at(-1)]).toEqual([0, last]);
  });

  test("asks each write over every API, a tool included", async () => {
    const access = Object.fromEntries(
      ["create", "update", "delete", "restore"].map((name) => [
        name,
        [{ role: "user", condition: "rank > 1" }, { role: "staff" }],
      ]),
    );
    const notes = { fields: { rank: { type: "integer" } }, access, soft_delete: true };
    const exposed = { notes: { ...notes, mcp: ["create", "update", "delete", "restore"] } };
    const { root, generate } = project(exposed, { name: "notes", modules: ["mcp"] });
    expect((await generate()).exitCode).toBe(0);
    const { stdout } = await kirak(root, ["check-access", "--model", "notes", "--json"]);
    const { cells }: AccessReport = JSON.parse(stdout);
    for (const operation of ["create", "update", "delete", "restore"]) {
      const asked = cells.filter((one) => one.operation === operation && one.caller === "user");
      const fronts = new Set(asked.map(({ front, rows, outcome }) => `${front} ${rows} ${outcome}`));
      for (const front of ["rest", "graphql", "mcp"])
        for (const rows of ["in", "out"]) expect(fronts, operation).toContain(`${front} ${rows} passed`);
    }
  });

  test("keeps the database with --keep, and prints its address", async () => {
    const words = ["check-access", "--model", "notebooks", "--operation", "count", "--keep"];
    const { status, stderr } = await kirak(blank, words);
    expect([status, stderr]).toEqual([
      0,
      expect.stringMatching(/^the database is kept: postgres(ql)?:\S+\n$/),
    ]);
  });

  test.each([
    [["--model", "notebook"], 'the models have no model "notebook"'],
    [["--role", "usr"], 'the models have no role "usr"'],
    [["--operation", "read"], 'the models have no operation "read"'],
    [["--seed", "a"], "--seed"],
    [["--json", "--junit", "a.xml"], "--json and --junit cannot be combined"],
  ])("%j is refused", async (words, message) => {
    const { status, stderr, stdout } = await kirak(blank, ["check-access", ...words]);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
  });
});

const cell = { model: "tasks", operation: "update", caller: "user", front: "rest", rows: "out" } as const;
const report: AccessReport = {
  cells: [
    { ...cell, rows: "in", outcome: "passed" },
    {
      ...cell,
      ...{ outcome: "failed", reason: "kirak explain tasks.update --as user:1 --id 7" },
      ...{ request: "PUT /tasks/update", expected: "403 PERMISSION_DENIED", actual: "200 <done>" },
    },
    {
      ...cell,
      rows: "out: ends_at > now()",
      outcome: "not tried",
      reason: "no witness: conflicts with the check c",
    },
    { ...cell, caller: "admin", outcome: "changed by before_update of tasks", reason: "answered 400" },
  ],
  dead: [
    {
      model: "tasks",
      operation: "fetch",
      role: "user",
      condition: "a = 1 AND a = 2",
      reason: "found no values",
    },
  ],
  covered: [],
  forgets_tenant: [{ model: "notes", tenant: "organisations", path: "task.organisation" }],
  not_covered_by_rules: [{ route: "GET /costs", callers: ["guest"] }],
  ...{ passed: 1, failed: 1, not_tried: 1 },
};

test("the report has the request, the answers and the explain line of a failure, then findings and numbers", () => {
  expect(printAccessReport(report)).toMatchInlineSnapshot(`
    "tasks: 1 passed, 1 failed, 1 not tried, 1 changed by hooks
      failed: tasks.update as user, rows out, over rest
        request:  PUT /tasks/update
        expected: 403 PERMISSION_DENIED
        actual:   200 <done>
        kirak explain tasks.update --as user:1 --id 7
      not tried: update out: ends_at > now(): no witness: conflicts with the check c (user)
      changed by before_update of tasks: update out: answered 400 (admin)

    dead: no row can satisfy these rules
      tasks.fetch, user: a = 1 AND a = 2 (found no values)

    forgets tenant: no rule mentions the tenant that the model belongs to
      notes: organisations, reached by task.organisation

    not covered by rules: these routes answered
      GET /costs: guest

    1 passed, 1 failed, 1 not tried
    "
  `);
});

test("JUnit has a suite for each model, failures and skipped cases, and escapes texts", () => {
  expect(junitReport(report)).toMatchInlineSnapshot(`
    "<?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="kirak check-access" tests="4" failures="1" skipped="1">
      <testsuite name="tasks" tests="4" failures="1" skipped="1">
        <testcase classname="tasks.update" name="tasks.update as user, rows in, over rest"/>
        <testcase classname="tasks.update" name="tasks.update as user, rows out, over rest"><failure message="kirak explain tasks.update --as user:1 --id 7">request: PUT /tasks/update
    expected: 403 PERMISSION_DENIED
    actual: 200 &lt;done&gt;
    kirak explain tasks.update --as user:1 --id 7</failure></testcase>
        <testcase classname="tasks.update" name="tasks.update as user, rows out: ends_at &gt; now(), over rest"><skipped message="no witness: conflicts with the check c"/></testcase>
        <testcase classname="tasks.update" name="tasks.update as admin, rows out, over rest"/>
      </testsuite>
    </testsuites>
    "
  `);
});

test("an app's tests that do not check access do not load the generator", () => {
  const text = readFileSync(join(repository, "cli", "testing.ts"), "utf8");
  expect(text.match(/^import (?!type ).*$/gm)).toEqual([
    'import { startTestService } from "../runtime/testing/index.ts";',
  ]);
  expect(existsSync(join(repository, "lib", "cli", "testing.js"))).toBe(true);
});
