import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { project, runGenerator } from "../support/project.ts";

const fields = { title: { type: "string" } };
const open = { books: { fields, access: { fetch: [{ role: "*" }], create: [{ role: "*" }] } } };
const closed = { books: { fields, access: { fetch: [{ role: "*" }] } } };

async function run(root: string, ...flags: readonly string[]) {
  const { code, printed, complained } = await runGenerator(root, flags);
  return { status: code, stdout: printed, stderr: complained };
}

test("a plain run shows no finding and generates", async () => {
  expect(await project(open).generate()).toMatchObject({ exitCode: 0, diagnostics: [], problems: [] });
});

test("--lint writes nothing and fails only on a finding", async () => {
  const { root, generate, write } = project(open);
  const { exitCode, diagnostics, problems } = await generate({ mode: "lint" });
  expect(exitCode).toBe(1);
  expect(diagnostics).toMatchObject([{ code: "public-write", severity: "lint", line: 16, column: 19 }]);
  expect(problems).toMatchObject([{ kind: "lint", message: "1 finding in the models" }]);
  expect(existsSync(join(root, "generated"))).toBe(false);
  write("models/models.json", closed);
  // The folder is out of date, which is the matter of --check.
  expect(await generate({ mode: "lint" })).toMatchObject({ exitCode: 0, problems: [], report: null });
});

test("--check fails on findings as well as on drift", async () => {
  const { generate } = project(open);
  const drifted = await generate({ mode: "check" });
  expect(drifted.problems.map(({ kind }) => kind)).toEqual(["drift", "lint"]);
  await generate();
  const { exitCode, problems } = await generate({ mode: "check" });
  expect({ exitCode, kinds: problems.map(({ kind }) => kind) }).toEqual({ exitCode: 1, kinds: ["lint"] });
});

test("a rate limit without effect is a finding, which may be silenced", async () => {
  const entry = { max_requests: 1, window_seconds: 1 };
  const books = { ...closed.books, rate_limit: { restore: entry } };
  const { exitCode, diagnostics } = await project({ books }).generate({ mode: "lint" });
  expect(exitCode).toBe(1);
  expect(diagnostics.map(({ code }) => code)).toEqual(["rate-limit-without-effect"]);
  const lint_ignore = { "rate-limit-without-effect": "soft_delete comes next week" };
  const kept = await project({ books: { ...books, lint_ignore } }).generate({ mode: "lint" });
  expect({ exitCode: kept.exitCode, diagnostics: kept.diagnostics }).toEqual({
    exitCode: 0,
    diagnostics: [],
  });
});

test("--lint prints findings with their line and the way out", async () => {
  const { root, write } = project(open);
  const failed = await run(root, "--lint");
  expect({ status: failed.status, stdout: failed.stdout }).toEqual({ status: 1, stdout: "" });
  expect(failed.stderr).toContain("models/models.json:16:19 - lint public-write: everyone can create rows");
  expect(failed.stderr).toMatch(/\n1 finding in the models\nto go on: .*"lint_ignore".*\n\n$/);
  write("models/models.json", {
    books: { ...open.books, lint_ignore: { "public-write": "a wall to write on" } },
  });
  expect(await run(root, "--lint")).toEqual({
    status: 0,
    stdout: "no findings; 1 silenced with a reason\n",
    stderr: "",
  });
});

test("--lint --json prints SARIF, --check --json its own shape with the findings", async () => {
  const { root } = project(open);
  const lint = await run(root, "--lint", "--json");
  expect(lint).toMatchObject({ status: 1, stderr: "" });
  expect(JSON.parse(lint.stdout).runs[0].results).toMatchObject([{ ruleId: "public-write" }]);
  const check = JSON.parse((await run(root, "--check", "--json")).stdout);
  expect(Object.keys(check)).toEqual(["exitCode", "diagnostics", "problems", "report"]);
  expect(check).toMatchObject({ exitCode: 1, diagnostics: [{ code: "public-write", severity: "lint" }] });
});

test("an upsert that goes around hooks is warned of in each run, and found by lint, until it is seen to", async () => {
  const rules = [{ role: "admin" }];
  const models = {
    books: {
      fields: { title: { type: "string", unique: true } },
      access: { fetch: [{ role: "*" }], create: rules, update: rules },
    },
  };
  const { generate, write } = project(models);
  write("models/hooks/books.ts", "export const before_create = () => {};");
  const warned = { exitCode: 0, diagnostics: [{ code: "upsert-bypasses-hooks", severity: "warning" }] };
  expect(await generate()).toMatchObject(warned);
  expect(await generate()).toMatchObject(warned);
  expect(await generate({ mode: "lint" })).toMatchObject({ ...warned, exitCode: 1 });
  write(
    "models/hooks/books.ts",
    "export const before_create = () => {};\nexport const before_upsert = before_create;",
  );
  expect(await generate({ mode: "lint" })).toMatchObject({ exitCode: 0, diagnostics: [] });
});

test("a role is given by SQL or a module below models/, but by no test and nothing that was generated", async () => {
  const { generate, write } = project({ books: { fields, access: { fetch: [{ role: "clerk" }] } } });
  const text = "insert into users (email, role) values ('ann@example.com', 'clerk');";
  const found = { exitCode: 1, diagnostics: [{ code: "role-nobody-has" }] };
  expect(await generate({ mode: "lint" })).toMatchObject(found);
  write("models/accounts.test.ts", text);
  write("models/notes.md", text);
  write("generated/seed.sql", text);
  expect(await generate({ mode: "lint" })).toMatchObject(found);
  write("models/seed/accounts.sql", text);
  expect(await generate({ mode: "lint" })).toMatchObject({ exitCode: 0, diagnostics: [] });
});
