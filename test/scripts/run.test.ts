import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { type Project, project, repository } from "../generator/support/project.ts";

let own: Project;

/** Runs a program of `scripts/run` in a copy of this repository that has nothing else. */
function node(...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: own.root, encoding: "utf8" });
  return { status, stdout, stderr };
}

function installCompiler(): void {
  for (const name of ["typescript", "@typescript"])
    symlinkSync(join(repository, "node_modules", name), join(own.root, "node_modules", name));
}

beforeEach(() => {
  own = project();
  for (const link of ["lib", "node_modules", "runtime", "schemas", "vocabulary"]) own.remove(link);
  const pages = [
    "runtime/modules/auth/http/sign-in-page/page",
    "runtime/modules/docs/page",
    "runtime/modules/monitoring/dashboard/page",
  ];
  for (const folder of ["node_modules", ...pages, "templates"])
    mkdirSync(join(own.root, folder), { recursive: true });
  for (const path of ["scripts/run", "tsconfig.json", "tsconfig.lib.json", "tsconfig.programs.json"])
    cpSync(join(repository, path), join(own.root, path), { recursive: true });
  own.write("cli/kirak.ts", 'console.log("sources" as string, ...process.argv.slice(2));');
});

const remedy = "development dependencies are not installed: run npm ci --include=dev";
const absent = { status: 1, stdout: "", stderr: `lib/ has no build, and ${remedy}\n` };

describe("the command line of this repository", () => {
  const run = (...words: readonly string[]) => node("scripts/run/kirak.js", ...words);

  test("runs the sources with its arguments, or prints in one line what to do", () => {
    expect(run()).toEqual(absent);
    installCompiler();
    // The first start takes seconds.
    const stderr = "compiling the sources\n";
    expect(run("token", "--role", "staff")).toEqual({
      status: 0,
      stdout: "sources token --role staff\n",
      stderr,
    });
    expect(run("start")).toEqual({ status: 0, stdout: "sources start\n", stderr: "" });
  });

  test("runs changed, new and older files, as this process", () => {
    installCompiler();
    run();
    own.write(
      "cli/kirak.ts",
      'import { word } from "./word.ts";\nprocess.exitCode = 7;\nconsole.log(word, process.ppid);',
    );
    own.write("cli/word.ts", 'export const word: string = "new";');
    expect(run()).toEqual({ status: 7, stdout: `new ${process.pid}\n`, stderr: "" });
    own.write("cli/word.ts", 'export const word: string = "changed";');
    expect(run().stdout).toMatch(/^changed /);
    own.write("cli/word.ts", "export const = 3;");
    expect(run()).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^the sources cannot be compiled:\ncli\/word\.ts\(1,14\)/),
    });
  });

  test("copies templates that changed, and leaves the others to the processes that read them", () => {
    installCompiler();
    own.write("templates/same.hbs", "same");
    own.write("templates/changed.hbs", "old");
    run();
    const inode = () => statSync(join(own.root, "lib/templates/same.hbs")).ino;
    const before = inode();
    own.write("templates/changed.hbs", "new");
    run();
    expect(inode()).toBe(before);
    expect(readFileSync(join(own.root, "lib/templates/changed.hbs"), "utf8")).toBe("new");
  });

  test("runs the build if there are no sources or no compiler, as in an image", () => {
    installCompiler();
    run();
    for (const path of ["runtime", "cli", "tsconfig.lib.json", "tsconfig.json"]) own.remove(path);
    expect(run()).toEqual({ status: 0, stdout: "sources\n", stderr: "" });
    own.remove("node_modules");
    expect(run()).toEqual({ status: 0, stdout: "sources\n", stderr: "" });
  });
});

test("a program of this repository runs from its sources, or prints in one line what to do", () => {
  own.write("scripts/hello.ts", 'console.log("hello" as string, ...process.argv.slice(2));');
  const run = () => node("scripts/run/program.js", "scripts/hello.ts", "--rows", "7");
  expect(run()).toEqual(absent);
  installCompiler();
  expect(run()).toMatchObject({ status: 0, stdout: "hello --rows 7\n" });
});

test("a build of the package that cannot be made leaves the one that is there", () => {
  own.write("lib/old.js", "");
  expect(node("scripts/run/build-package.js")).toEqual({
    status: 1,
    stdout: "",
    stderr: `${remedy} && npm run build\n`,
  });
  expect(own.read("lib/old.js")).toBe("");
});

test("all commands that people run go through the same program", () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(
    readFileSync(join(repository, "package.json"), "utf8"),
  );
  for (const name of ["start", "secrets", "migrate", "create-admin", "worker", "purge", "jobs"])
    expect(scripts[name]).toBe(`exec node scripts/run/kirak.js ${name}`);
});
