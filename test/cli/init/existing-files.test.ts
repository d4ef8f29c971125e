import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { initEnvironment } from "#cli/init/init-environment";
import { writeProject } from "#cli/init/write-project";
import { filesBelow } from "../../generator/support/project.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { type Init, init as initWith, packagedExamples } from "./init-run.ts";

const examples = packagedExamples();
const init = (wanted: Init) => initWith(examples, wanted);

test("a repository that was just cloned becomes an app, and keeps its files", async () => {
  const before = {
    "my-app/.git/HEAD": "ref: refs/heads/main\n",
    "my-app/.gitignore": "node_modules\n/dist/\n*.log",
    "my-app/LICENSE": "MIT",
    "my-app/README.md": "# Mine\n",
  };
  const { exitCode, said, read, root } = await init({ before });
  expect(exitCode).toBe(0);
  expect(read("README.md")).toBe("# Mine\n");
  expect(read(".gitignore")).toBe("node_modules\n/dist/\n*.log\nvar/\ncoverage/\n.env\n");
  expect(said).toContain("unchanged: README.md\nadded to .gitignore: var/, coverage/, .env\n");
  expect(Object.keys(filesBelow(root))).toEqual(expect.arrayContaining(["package.json", "LICENSE"]));
});

test("a .gitignore that lacks nothing stays as it is", async () => {
  const text = "node_modules/\ndist/\nvar/\ncoverage/\n.env\n*.log\n!keep.log\n";
  const { said, read } = await init({ before: { "my-app/.gitignore": text } });
  expect(read(".gitignore")).toBe(text);
  expect(said).toContain("unchanged: .gitignore\n");
});

// biome-ignore format: one case a line
test.each<[string, Readonly<Record<string, string>>, RegExp]>([
  ["a file where a folder should be", { "one/a": "1", "one/a/b": "2" }, /one.a cannot be written: a part of the path is a file;/],
  ["a name that no disk takes", { "one/a": "1", [`two/${"b".repeat(300)}`]: "2" }, /cannot be written: the path is too long;/],
])("%s takes what was written with it, and nothing else", (_, files, problem) => {
  const folder = temporaryFolder("kirak-write-");
  writeFileSync(join(folder, "LICENSE"), "MIT");
  const root = join(folder, "apps", "mine");
  const made = writeProject(root, new Map(Object.entries(files)));
  expect("problem" in made && made.problem).toMatch(problem);
  expect(readdirSync(folder)).toEqual(["LICENSE"]);
  expect("problem" in writeProject(folder, new Map(Object.entries(files)))).toBe(true);
  expect(readdirSync(folder)).toEqual(["LICENSE"]);
});

test("a folder in place of .gitignore is reported, and nothing is written", async () => {
  const { exitCode, complaints, root } = await init({ before: { "my-app/.gitignore/a": "" } });
  expect(exitCode).toBe(2);
  expect(complaints).toBe(
    `${join(root, ".gitignore")} is not a regular file, so no lines can be added; nothing was written\n`,
  );
  expect(readdirSync(root)).toEqual([".gitignore"]);
});

// Accounts without the right to create links on Windows have none.
test.skipIf(process.platform === "win32")("nothing is written through links", async () => {
  const folder = temporaryFolder("kirak-links-");
  mkdirSync(join(folder, "theirs"));
  writeFileSync(join(folder, "everybody"), "*.log\n");
  const root = join(folder, "app");
  mkdirSync(root);
  symlinkSync(join(folder, "theirs"), join(root, ".git"));
  symlinkSync(join(folder, "everybody"), join(root, "README.md"));
  expect(initEnvironment().makeRepository(root)).toBe(false);
  const files = new Map([
    [".gitignore", "var/\n"],
    ["README.md", "# Mine\n"],
  ]);
  expect(writeProject(root, files)).toMatchObject({ written: [".gitignore"], kept: ["README.md"] });
  for (const target of ["everybody", "none"]) {
    rmSync(join(root, ".gitignore"));
    symlinkSync(join(folder, target), join(root, ".gitignore"));
    expect(writeProject(root, files)).toMatchObject({ problem: expect.stringContaining(".gitignore is no") });
  }
  expect(readdirSync(join(folder, "theirs"))).toEqual([]);
  expect(readdirSync(folder)).toEqual(["app", "everybody", "theirs"]);
  expect(readFileSync(join(folder, "everybody"), "utf8")).toBe("*.log\n");
});

test("a git repository is created unless the folder is within one", () => {
  const { makeRepository } = initEnvironment();
  const folder = temporaryFolder("kirak-git-");
  const inner = join(folder, "apps", "inner");
  mkdirSync(inner, { recursive: true });
  expect(makeRepository(folder)).toBe(true);
  expect(existsSync(join(folder, ".git"))).toBe(true);
  expect([makeRepository(folder), makeRepository(inner)]).toEqual([false, false]);
  expect(existsSync(join(inner, ".git"))).toBe(false);
});

test("packages are installed on request", async () => {
  const { steps, said } = await init({ install: true });
  expect(steps.map(({ program, words }) => [program, ...words])).toEqual([["npm", "install"]]);
  expect(said).toContain("to go on:\n  cd my-app\n  npm start\n");
  const failed = await init({ install: true, ends: [7] });
  expect(failed.exitCode).toBe(1);
  expect(failed.said).toContain("to go on:\n  cd my-app\n  npm install\n  npm start\n");
});
