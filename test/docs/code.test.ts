import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Service } from "../../runtime/index.ts";
import { project } from "../generator/support/project.ts";
import { exampleApp } from "../support/example-apps.ts";

// The app of docs/code.md, file by file as it stands there, generated, compiled and served.
const docs = readFileSync(join(import.meta.dirname, "..", "..", "docs", "code.md"), "utf8");

/** Fences with their texts, and the paragraph before each. */
const fences = [...docs.matchAll(/(?:^|\n\n)([^\n](?:[^\n]|\n(?!\n))*)\n\n```\w*\n([\s\S]*?)```/g)].map(
  ([, before = "", text = ""]) => ({ before, text }),
);

/** Files of `models/`: of code the first line names them, of all else the paragraph before it. What stands later is added. */
const files = new Map<string, string>();
for (const { before, text } of fences) {
  const path = /^\/\/ (models\/\S+)\n/.exec(text)?.[1] ?? /^`(models\/[^`]+)`/.exec(before)?.[1];
  if (path !== undefined) files.set(path, (files.get(path) ?? "") + text);
}

const { root, write, generate } = project({}, { name: "workshop" });
for (const [path, text] of files) write(path, text);
const made = await generate({ compile: true });
expect([made.diagnostics, made.problems]).toEqual([[], []]);
const { service }: { service: Service } = await import(join(root, "generated/index.ts"));
const { ask, query } = await exampleApp(service);

const create = (data: object) =>
  ask("staff", "POST /repairs/create", { data: { bike: "Roadster", ...data } });

test("all files of the app stand there", () => {
  expect([...files.keys()]).toEqual(["models/models.json", "models/hooks/repairs.ts", "models/errors.json"]);
});

test("fill a field", async () => {
  expect(await create({})).toMatchObject({ bike: "Roadster", number: expect.stringMatching(/^R-\d+$/) });
  expect(await create({ number: "R-1" })).toBe("403 PERMISSION_DENIED");
  expect(await query("select number from repairs")).toHaveLength(1);
});

test("look at the rows, and refuse", async () => {
  const change = (bike: string) =>
    ask("staff", "PUT /repairs/update", { where: { bike }, data: { bike: "Tandem" } });
  await create({ bike: "Racer" });
  expect(await change("Racer")).toMatchObject({ updated_count: 1 });
  await query("update repairs set paid_at = now() where bike = 'Tandem'");
  expect(await change("Tandem")).toBe("409 ALREADY_PAID");
});
