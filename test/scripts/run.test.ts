import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
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
  symlinkSync(join(repository, "node_modules/typescript"), join(own.root, "node_modules/typescript"));
}

beforeEach(() => {
  own = project();
  for (const link of ["vocabulary", "runtime", "schemas", "node_modules"]) own.remove(link);
  mkdirSync(join(own.root, "node_modules"));
  mkdirSync(join(own.root, "runtime"));
  for (const folder of ["scripts/run", "cli/app", "generator/packages"])
    cpSync(join(repository, folder), join(own.root, folder), {
      recursive: true,
      filter: (path) => !path.endsWith(".ts"),
    });
  cpSync(join(repository, "tsconfig.package.json"), join(own.root, "tsconfig.package.json"));
  own.write("cli/kirak.ts", 'console.log("sources" as string, ...process.argv.slice(2));');
});

describe("the command line of this repository", () => {
  const run = (...words: readonly string[]) => node("scripts/run/kirak.js", ...words);
  const build = () => {
    own.write("lib/cli/kirak.js", 'console.log("build", ...process.argv.slice(2));');
    own.write(
      "mark.js",
      'import { markBuild } from "./cli/app/build-mark.js"; import { packageBuild } from "./scripts/run/package-build.js"; markBuild(packageBuild);',
    );
    expect(node("mark.js")).toMatchObject({ status: 0 });
  };
  const remedy =
    "and development dependencies, which run the sources themselves, are not installed: run npm ci --include=dev && npm run build\n";

  test("without a build runs the sources, with its words, or says in one line what to do", () => {
    expect(run()).toEqual({ status: 1, stdout: "", stderr: `there is no build in lib/, ${remedy}` });
    installCompiler();
    expect(run("token", "--role", "staff")).toEqual({
      status: 0,
      stdout: "sources token --role staff\n",
      stderr: "",
    });
  });

  test("a start says that it compiles, which takes seconds", () => {
    installCompiler();
    const stderr = "compiling the sources, once after each change\n";
    expect(run("start")).toEqual({ status: 0, stdout: "sources start\n", stderr });
    expect(run("start")).toEqual({ status: 0, stdout: "sources start\n", stderr: "" });
  });

  test("runs the build of these very sources, as this process, and never an old one", () => {
    build();
    expect(run("start").stdout).toBe("build start\n");
    own.write("lib/cli/kirak.js", "process.exitCode = 7; console.log(process.ppid);");
    expect(run()).toEqual({ status: 7, stdout: `${process.pid}\n`, stderr: "" });
    own.write("runtime/further.ts", "export {};");
    expect(run()).toEqual({ status: 1, stdout: "", stderr: `lib/ was built from other sources, ${remedy}` });
    installCompiler();
    expect(run().stdout).toBe("sources\n");
  });

  test("runs the build where it is all there is, as in an image", () => {
    build();
    for (const path of ["runtime", "cli/kirak.ts", "tsconfig.package.json", "tsconfig.json"])
      own.remove(path);
    expect(run().stdout).toBe("build\n");
  });
});

test("a program of this repository runs from its sources, or says in one line what to do", () => {
  own.write("scripts/hello.ts", 'console.log("hello" as string, ...process.argv.slice(2));');
  const run = () => node("scripts/run/source.js", "scripts/hello.ts", "--rows", "7");
  const remedy = "development dependencies are not installed: run npm ci --include=dev\n";
  expect(run()).toEqual({ status: 1, stdout: "", stderr: remedy });
  installCompiler();
  expect(run()).toEqual({ status: 0, stdout: "hello --rows 7\n", stderr: "" });
});

test("a build of the package that cannot be made leaves the one that is there", () => {
  own.write("lib/old.js", "");
  const stderr = "development dependencies are not installed: run npm ci --include=dev && npm run build\n";
  expect(node("scripts/run/build-package.js")).toEqual({ status: 1, stdout: "", stderr });
  expect(own.read("lib/old.js")).toBe("");
});

test("all that people run of the command line goes through one door", () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(
    readFileSync(join(repository, "package.json"), "utf8"),
  );
  for (const name of ["start", "secrets", "migrate", "create-admin", "worker", "purge", "jobs"])
    expect(scripts[name]).toBe(`exec node scripts/run/kirak.js ${name}`);
});
