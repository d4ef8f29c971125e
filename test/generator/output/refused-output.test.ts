import { expect, test } from "vitest";
import { refusedOutput } from "#generator/output/output-problems";
import { project, repository } from "../support/project.ts";

const inputs = ["models/models.json", "models/manifest.json"];

test.each([
  ["", "is the project, or contains it"],
  [".", "is the project, or contains it"],
  ["..", "is the project, or contains it"],
  ["models", "contains models/models.json"],
  ["models/", "contains models/models.json"],
  ["models/hooks", "contains hooks next to models/models.json"],
  ["node_modules", "belongs to another tool"],
  ["node_modules/kirak", "belongs to another tool"],
  ["runtime", "is a folder of the project"],
  ["x/../test", "is a folder of the project"],
])("no output goes to %j", (out, reason) => {
  expect(refusedOutput({ root: repository, out }, inputs)).toBe(reason);
});

test.each(["generated", "test/http/fixture/generated", "models/generated"])("output may go to %s", (out) => {
  expect(refusedOutput({ root: repository, out }, inputs)).toBeNull();
});

test("outside of the project, output is only written to packages of type module", () => {
  const { root, write } = project();
  const place = { root: `${root}/app`, out: "../other/generated" };
  expect(refusedOutput(place, inputs)).toBeNull();
  for (const text of [{ name: "other" }, { type: "commonjs" }, "{"]) {
    write("other/package.json", text);
    expect(refusedOutput(place, inputs)).toMatch(
      /^is neither in the project nor in a package of type module/,
    );
  }
  write("other/package.json", { type: "module" });
  expect(refusedOutput(place, inputs)).toBeNull();
});

test("a refused folder ends the run with 2, and stays as it was", async () => {
  const { generate, files } = project();
  const before = files("models");
  for (const mode of ["write", "check"] as const)
    // biome-ignore format: one case a line
    expect(await generate({ out: "models", mode })).toMatchObject({ exitCode: 2,
      problems: [{ message: "the output folder models contains models/models.json, and nothing is written there",
        fix: "choose a separate folder with --out, such as generated" }],
    });
  expect(files("models")).toEqual(before);
});
