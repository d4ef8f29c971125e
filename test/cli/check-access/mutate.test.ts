import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { runAccessCheck } from "#cli/check-access/check-access";
import type { Service } from "#runtime/server/service";
import { project, repository } from "../../generator/support/project.ts";
import { kirak } from "../support/kirak.ts";

const condition = "(owner_id = {user_id} OR published = true) AND title <> 'secret'";
const models = {
  $conditions: { loud: { on: "notes", condition: "title = 'loud'" } },
  notes: {
    fields: {
      title: { type: "string" },
      published: { type: "boolean" },
      owner_id: { type: "belongs_to", relationship: { model: "users" } },
    },
    access: {
      fetch: [{ role: "user", condition }],
      delete: [{ role: "admin", condition: "loud() AND published = true" }, { role: "staff" }],
    },
  },
};

/** Tests that notice a change of these texts in the policy. */
const tests = (...texts: string[]) =>
  texts.map((text) => `grep -qF '${text}' generated/models/notes/policy.ts`).join(" && ");

test("lists the parts of rules that no test misses, and leaves the app as it was", async () => {
  const { root, generate } = project(models);
  expect((await generate()).exitCode).toBe(0);
  const policy = join(root, "generated", "models", "notes", "policy.ts");
  const before = readFileSync(policy, "utf8");
  const command = tests("owner_id", "published", "loud");
  const { status, stdout, stderr } = await kirak(root, [
    "check-access",
    "--mutate",
    "--test-command",
    command,
  ]);
  expect([status, stderr]).toEqual([1, ""]);
  expect(stdout.split("\n")).toEqual([
    "noticed  notes.fetch to user, without: owner_id = {user_id}",
    "noticed  notes.fetch to user, without: published = true",
    "NOT NOTICED  notes.fetch to user, without: title <> 'secret'",
    "noticed  notes.delete to admin, without: title = 'loud'",
    "NOT NOTICED  notes.delete to admin, without: published = true",
    "3 noticed, 2 not noticed",
    "",
  ]);
  expect(readFileSync(policy, "utf8")).toBe(before);
});

test("asks only about some rules, as JSON, and ends with 0 if tests notice all of them", async () => {
  const { root, generate } = project(models);
  await generate();
  const words = ["--mutate", "--json", "--operation", "fetch", "--role", "user"];
  const command = tests("owner_id", '"title"');
  const { status, stdout } = await kirak(root, ["check-access", ...words, "--test-command", command]);
  expect([status, JSON.parse(stdout)]).toEqual([0, { unnoticed: [], noticed: 3 }]);
});

test("checkAccess asks nothing in tests of mutations: it would notice each of them", async () => {
  const { root, generate } = project(models);
  await generate();
  const words = ["--mutate", "--operation", "fetch", "--test-command", `test "$KIRAK_MUTATE" = 1`];
  const { stdout } = await kirak(root, ["check-access", ...words]);
  expect(stdout).toContain("0 noticed, 3 not noticed");
  // Its type would bring the types of the book shop's code.
  const { service }: { service: Service } = await import(join(repository, "generated/index.ts"));
  vi.stubEnv("KIRAK_MUTATE", "1");
  const start = () => Promise.reject(new Error("the check starts a service"));
  expect(await runAccessCheck(service, {}, start)).toMatchObject({ cells: [], passed: 0, failed: 0 });
  vi.unstubAllEnvs();
});

test("tests that fail anyway are no test of rules", async () => {
  const { root, generate } = project(models);
  await generate();
  const words = ["check-access", "--mutate", "--test-command", "echo no luck; exit 3"];
  expect(await kirak(root, words)).toEqual({
    status: 2,
    stdout: "",
    stderr: "the tests fail without a mutation: echo no luck; exit 3\nno luck\n\n",
  });
});

test.each([
  [["--mutate", "--keep"], "--mutate cannot be combined with --junit or --keep"],
  [["--test-command", "true"], "--test-command needs --mutate"],
])("%j is refused", async (words, message) => {
  const { root } = project(models);
  const { status, stderr } = await kirak(root, ["check-access", ...words]);
  expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
});
