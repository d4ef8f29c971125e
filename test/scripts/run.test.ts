import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { type Project, project, repository } from "../generator/support/project.ts";

/** The scripts of the repository, copied into a project. */
function take(root: string, ...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    copyFileSync(join(repository, path), join(root, path));
  }
}

const launcher = readdirSync(join(repository, "scripts/run"))
  .filter((name) => name.endsWith(".js"))
  .map((name) => `scripts/run/${name}`);

describe("a command of package.json", () => {
  let own: Project;
  const run = (...words: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ["scripts/run/command.js", "hello", ...words],
      { cwd: own.root, encoding: "utf8" },
    );
    return { status, stdout, stderr };
  };
  const build = () => {
    own.write("dist/scripts/hello.js", 'console.log("build", ...process.argv.slice(2));');
    spawnSync(process.execPath, ["scripts/run/mark-build.js"], { cwd: own.root });
  };
  const installCompiler = () =>
    symlinkSync(join(repository, "node_modules/typescript"), join(own.root, "node_modules/typescript"));
  const fromBuild = { status: 0, stdout: "build\n", stderr: "" };
  const fromSources = { status: 0, stdout: "sources\n", stderr: "" };
  const remedy =
    "and development dependencies, which run the sources themselves, are not installed: run npm ci --include=dev && npm run build\n";

  beforeEach(() => {
    own = project();
    for (const link of ["vocabulary", "runtime", "node_modules"]) own.remove(link);
    mkdirSync(join(own.root, "node_modules"));
    take(own.root, ...launcher);
    own.write("tsconfig.build.json", {
      include: ["runtime", "models", "scripts/hello.ts"],
      exclude: ["models/test"],
    });
    own.write("runtime/a.ts", "export const a: number = 1;");
    own.write("models/hooks/books.ts", "export {};");
    own.write("scripts/hello.ts", 'console.log("sources" as string, ...process.argv.slice(2));');
  });

  test("without a build runs the sources, or says in one line what to do", () => {
    expect(run()).toEqual({ status: 1, stdout: "", stderr: `there is no build in dist/, ${remedy}` });
    installCompiler();
    expect(run()).toEqual(fromSources);
  });

  test("runs the build of these very sources, with its words, as this process", () => {
    build();
    expect(run()).toEqual(fromBuild);
    installCompiler();
    expect(run("--role", "staff").stdout).toBe("build --role staff\n");
    own.write("dist/scripts/hello.js", "process.exitCode = 7; console.log(process.ppid);");
    expect(run()).toEqual({ status: 7, stdout: `${process.pid}\n`, stderr: "" });
  });

  test.each([
    ["a source", (p: Project) => p.write("runtime/a.ts", "export const a: number = 2;")],
    ["a hook", (p: Project) => p.write("models/hooks/books.ts", "export const before_fetch = null;")],
    ["a file more", (p: Project) => p.write("runtime/b.ts", "export {};")],
    ["a file less", (p: Project) => p.remove("models/hooks/books.ts")],
    ["a file beside what is left out", (p: Project) => p.write("models/tests.ts", "export {};")],
    ["the compiler's settings", (p: Project) => p.write("tsconfig.json", {})],
  ])("never runs an old build: %s changed", (_, change) => {
    build();
    change(own);
    expect(run()).toEqual({ status: 1, stdout: "", stderr: `dist/ was built from other sources, ${remedy}` });
  });

  test("runs the sources instead of an old build", () => {
    build();
    own.write("runtime/a.ts", "export const a: number = 2;");
    installCompiler();
    expect(run()).toEqual(fromSources);
  });

  test("goes by content, and not by settings that are read at the start or files that it leaves out", () => {
    build();
    const later = new Date(Date.now() + 3_600_000);
    utimesSync(join(own.root, "runtime/a.ts"), later, later);
    own.write("models/manifest.json", { name: "other" });
    own.write("models/models.json", { books: {} });
    own.write("models/test/books.test.ts", "export {};");
    expect(run()).toEqual(fromBuild);
  });

  test("runs the build where it is all there is, as in an image", () => {
    build();
    for (const path of ["runtime", "scripts/hello.ts", "tsconfig.build.json", "tsconfig.json"])
      own.remove(path);
    expect(run()).toEqual(fromBuild);
  });

  test("runs the sources that are there, those that they import from elsewhere too", () => {
    installCompiler();
    own.write("lib/word.ts", 'export const word: string = "one";');
    own.write("scripts/hello.ts", 'import { word } from "../lib/word.ts";\nconsole.log(word);');
    expect(run().stdout).toBe("one\n");
    own.write("lib/word.ts", 'export const word: string = "two";');
    expect(run().stdout).toBe("two\n");
    own.write("scripts/hello.ts", 'console.log("three");');
    expect(run().stdout).toBe("three\n");
    own.write("scripts/hello.ts", "const = 3;");
    expect(run()).toMatchObject({ status: 1, stdout: "", stderr: expect.stringContaining("hello.ts(1,") });
  });

  test("runs nothing that was compiled in part", () => {
    installCompiler();
    expect(run()).toEqual(fromSources);
    const trees = join(own.root, "var/kirak/compiled");
    const [tree = ""] = readdirSync(trees);
    own.write(`var/kirak/compiled/${tree}/scripts/hello.js`, 'console.log("in part");');
    rmSync(join(trees, tree, "elsewhere.json"));
    mkdirSync(join(trees, "draft-killed"));
    expect(run()).toEqual(fromSources);
  });

  test("does not run what a failed build left", () => {
    build();
    own.remove("dist/sources.sha256");
    installCompiler();
    expect(run()).toEqual(fromSources);
  });
});

describe("without development dependencies", () => {
  const node = ({ root }: Project, ...words: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: "utf8" });
    return { status, stdout, stderr };
  };
  const remedy = "development dependencies are not installed: run npm ci --include=dev";
  const bare = () => {
    const own = project();
    own.remove("node_modules");
    take(own.root, ...launcher);
    own.write("dist/scripts/start.js", "");
    return own;
  };

  test("a command of development says in one line what to do, and runs the file with its words where they are", () => {
    const own = bare();
    own.write("scripts/hello.ts", 'console.log("sources" as string, ...process.argv.slice(2));');
    const run = () => node(own, "scripts/run/source.js", "scripts/hello.ts", "--rows", "7");
    expect(run()).toEqual({ status: 1, stdout: "", stderr: `${remedy}\n` });
    mkdirSync(join(own.root, "node_modules"));
    symlinkSync(join(repository, "node_modules/typescript"), join(own.root, "node_modules/typescript"));
    expect(run()).toEqual({ status: 0, stdout: "sources --rows 7\n", stderr: "" });
  });

  test("a build that cannot be made leaves the one that is there, and one that can begins anew", () => {
    const own = bare();
    const clear = () => node(own, "scripts/run/clear-build.js");
    const built = () => Object.keys(own.files("dist"));
    expect(clear()).toEqual({ status: 1, stdout: "", stderr: `${remedy} && npm run build\n` });
    own.write("node_modules/typescript/package.json", {});
    expect(clear()).toEqual({
      status: 1,
      stdout: "",
      stderr: "generated/ is missing: run npm run generate\n",
    });
    expect(built()).toHaveLength(1);
    own.write("generated/index.ts", "");
    expect(clear().status).toBe(0);
    // Models without a table have no migration to compile, and the service starts none the less.
    expect(built()).toEqual([]);
    expect(existsSync(join(own.root, "dist/generated/migrations"))).toBe(true);
  });
});

describe("the service", () => {
  const start = ({ root }: Project) => {
    take(root, "scripts/start.ts", "scripts/load-service.ts");
    take(root, ...launcher);
    const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/run/command.js", "start"], {
      cwd: root,
      encoding: "utf8",
    });
    return { status, stdout, stderr };
  };

  test("that nobody has generated is named in one line", () => {
    expect(start(project())).toEqual({
      status: 1,
      stdout: "",
      stderr: "generated/ is missing: run npm run generate\n",
    });
  });

  test("is loaded after .env, which its hooks may read", () => {
    const own = project();
    own.write(".env", "WORD=from-the-file\n");
    own.write("models/hooks/books.ts", "console.log(process.env.WORD); process.exit(3);");
    own.write("generated/index.ts", 'import "../models/hooks/books.ts"; export const service = null;');
    expect(start(own)).toEqual({ status: 3, stdout: "from-the-file\n", stderr: "" });
  });
});

test("all that production runs goes through one door", () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(
    readFileSync(join(repository, "package.json"), "utf8"),
  );
  const { include }: { include: string[] } = JSON.parse(
    readFileSync(join(repository, "tsconfig.build.json"), "utf8"),
  );
  expect(scripts["secrets"]).toBe("exec node scripts/run/kirak.js secrets");
  expect(include).toContain("cli");
  for (const name of ["start", "migrate", "purge", "create-admin"]) {
    expect(scripts[name]).toBe(`exec node scripts/run/command.js ${name}`);
    expect(include).toContain(`scripts/${name}.ts`);
  }
});
