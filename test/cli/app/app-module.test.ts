import { mkdirSync, readdirSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { buildApp, markBuild } from "#cli/app/app-build";
import { codeFormat } from "#vocabulary/code-format";
import { repository } from "../../generator/support/project.ts";
import { kirak } from "../support/kirak.ts";
import { type AppFolder, appFolder } from "./app-folder.ts";

let app: AppFolder;

beforeEach(() => {
  app = appFolder();
  app.write("models/manifest.json", {});
  app.write("models/word.ts", 'export const word: string = "sources";\n');
  app.write("models/unused.ts", "export {};\n");
  app.write("models/test/word.test.ts", "export {};\n");
  app.write("generated/index.ts", 'import { word } from "../models/word.ts";\nconsole.log(word);\n');
});

/** What `kirak run` prints. */
async function ran(...words: readonly string[]): Promise<string> {
  const { stdout, stderr } = await kirak(app.root, ["run", ...words]);
  return `${stdout}${stderr}`;
}

/** What the app's entry prints. */
const says = () => ran("generated/index.ts");

function install(): void {
  mkdirSync(join(app.root, "node_modules"));
  for (const [name, to] of [
    ["kirak", repository],
    ["tsx", join(repository, "node_modules/tsx")],
  ] as const)
    symlinkSync(to, join(app.root, "node_modules", name));
}

/** A build that prints so, of the sources that are there. */
function build(): void {
  app.write("dist/generated/index.js", 'console.log("build");\n');
  markBuild(app.root);
}

describe("a module of an app", () => {
  test("is the source, and the build if it is of these sources", async () => {
    install();
    expect(await says()).toBe("sources\n");
    build();
    expect(await says()).toBe("build\n");
  });

  // biome-ignore format: one case a line
  const changes: readonly [name: string, change: () => void][] = [
    ["a source", () => app.write("models/word.ts", 'export const word: string = "sources";')],
    ["a file more", () => app.write("models/further.ts", "export {};")],
    ["a file less", () => app.remove("models/unused.ts")],
    ["a file next to the files that are left out", () => app.write("models/tests.ts", "export {};")],
    ["the compiler's settings", () => app.write("tsconfig.json", { compilerOptions: { module: "nodenext" } })],
    ["the list of what is built", () => app.write("tsconfig.build.json", { include: ["generated"] })],
    ["the mark of a build that failed", () => app.remove("dist/sources.sha256")],
  ];

  test.each(changes)("is never from an old build: %s changed", async (_, change) => {
    install();
    build();
    change();
    expect(await says()).toBe("sources\n");
  });

  test("is compared by content, without files that are read at the start or left out of the build", async () => {
    install();
    build();
    const later = new Date(Date.now() + 3_600_000);
    utimesSync(join(app.root, "models/word.ts"), later, later);
    app.write("models/manifest.json", { name: "other" });
    app.write("models/models.json", { books: {} });
    app.write("models/test/word.test.ts", "export const other = 1;\n");
    expect(await says()).toBe("build\n");
  });

  test("is from the build if there are no sources, as in an image", async () => {
    install();
    build();
    for (const path of ["generated", "models", "tsconfig.json", "tsconfig.build.json"]) app.remove(path);
    app.write("models/manifest.json", {});
    expect(await says()).toBe("build\n");
  });

  test("does not run without kirak, or with another copy of it", async () => {
    build();
    expect(await says()).toBe("the package kirak is not installed here: run npm install\n");
    app.write("node_modules/kirak/package.json", { name: "kirak", exports: "./index.js" });
    app.write("node_modules/kirak/index.js", "");
    expect(await says()).toMatch(
      /^this app imports another copy of kirak, .*index\.js: run npx kirak in the app\n$/,
    );
  });

  test("imports kirak by its public names, and is the same copy as the command's", async () => {
    install();
    app.write(
      "generated/index.ts",
      'import { ServiceError } from "kirak";\nimport { defineHooks } from "kirak/hooks";\nconsole.log(import.meta.resolve("kirak"), new ServiceError("NOT_FOUND", "x") instanceof Error, typeof defineHooks);\n',
    );
    expect(await says()).toBe(
      `${new URL("../../../lib/runtime/index.js", import.meta.url).href} true function\n`,
    );
  });

  test("with a mistake is reported with its place, and an error with that of the source", async () => {
    install();
    app.write("models/word.ts", "export const first: number = 1;\nconst = 3;\n");
    expect(await says()).toMatch(/word\.ts:2/);
    app.write(
      "tools/fail.ts",
      'interface Long {\n  readonly a: string;\n}\n\nconst at = (text: Long) => new Error(text.a);\nconsole.log(at({ a: "here" }).stack);\n',
    );
    expect(await ran("tools/fail.ts")).toMatch(/tools\/fail\.ts:5:28/);
  });
});

describe("a file that a user names", () => {
  test("runs in any folder of the app; JavaScript runs as it is", async () => {
    install();
    app.write(
      "tools/seed.ts",
      'import { word } from "../models/word.ts";\nconsole.log((word + ", seeded") as string);\n',
    );
    app.write("seed.ts", 'console.log("at the top" as string, ...process.argv.slice(2));\n');
    app.write("seed.js", 'console.log("JavaScript");\n');
    expect(await ran("tools/seed.ts")).toBe("sources, seeded\n");
    expect(await ran("./seed.ts", "--rows", "7")).toBe("at the top --rows 7\n");
    expect(await ran(join(app.root, "seed.js"))).toBe("JavaScript\n");
  });

  test.each([
    ["../seed.ts", /is not in /],
    ["missing.ts", "missing.ts does not exist"],
    ["tools", "tools is a folder"],
  ])("%s is refused", async (path, message) => {
    app.write("tools/seed.ts", "export {};\n");
    const { status, stderr } = await kirak(app.root, ["run", path]);
    expect(stderr).toMatch(message);
    expect(status).toBe(1);
  });
});

describe("the build of an app", () => {
  test("is made again, with the lock next to the code, and runs then", async () => {
    install();
    app.write("generated/manifest.lock.json", { models: "sum" });
    app.write("dist/old.js", "");
    app.write(
      "generated/index.ts",
      'console.log(import.meta.url.replace(/.*an%20app%20\\w+/, "") as string);\n',
    );
    buildApp(app.root);
    expect(readdirSync(join(app.root, "dist"))).toEqual(["generated", "models", "sources.sha256"]);
    expect(readdirSync(join(app.root, "dist/models"))).toEqual(["unused.js", "word.js"]);
    expect(app.read("dist/generated/manifest.lock.json")).toContain("sum");
    // Models without a table have no migration to compile, but the service starts.
    expect(readdirSync(join(app.root, "dist/generated/migrations"))).toEqual([]);
    expect(await says()).toBe("/dist/generated/index.js\n");
  });

  test("holds a server of the app that include lists, and that runs then", async () => {
    install();
    app.write("server.ts", 'import "./generated/index.ts";\n');
    app.write("tsconfig.build.json", {
      ...JSON.parse(app.read("tsconfig.build.json")),
      include: ["generated", "models", "server.ts"],
    });
    buildApp(app.root);
    expect(app.read("dist/server.js")).toContain('import "./generated/index.js"');
    app.write("dist/server.js", 'console.log("built server");\n');
    expect(await ran("server.ts")).toBe("built server\n");
    app.write("dist/server.js", 'console.log("the only server");\n');
    app.remove("server.ts");
    app.remove("generated");
    app.write("models/manifest.json", {});
    expect((await kirak(app.root, ["run", "./server.ts"])).stderr).toBe("");
  });

  test("checks types, and a failed build does not count", async () => {
    install();
    app.write("models/word.ts", "export const word: string = 3;\n");
    expect(() => buildApp(app.root)).toThrow(/^models\/word\.ts\(1,14\): error TS2322/);
    expect(await says()).toBe("3\n");
  });

  test.each([
    ["generated", "generated/ is missing: run npm run generate"],
    ["tsconfig.build.json", "tsconfig.build.json is missing"],
  ])("leaves the old one if %s is missing", (path, message) => {
    app.write("dist/old.js", "");
    app.remove(path);
    expect(() => buildApp(app.root)).toThrow(message);
    expect(app.read("dist/old.js")).toBe("");
  });
});

describe("the service of an app", () => {
  const status = () => kirak(app.root, ["migrate", "status"]);

  test("that is not generated is named", async () => {
    app.remove("generated");
    expect((await status()).stderr).toBe("generated/ is missing: run npm run generate\n");
  });

  test("is loaded after .env, which its hooks can read", async () => {
    install();
    app.write("generated/manifest.lock.json", { code_format: codeFormat });
    app.write(".env", "WORD_OF_APP_MODULE_TEST=from-the-file\n");
    app.write(
      "generated/index.ts",
      "console.log(process.env.WORD_OF_APP_MODULE_TEST as string);\nthrow new Error('enough');\n",
    );
    expect((await status()).stdout).toBe("from-the-file\n");
  });

  // biome-ignore format: one case a line
  const locks: readonly [name: string, lock: object | null, message: RegExp][] = [
    ["for an older kirak", { format: "" }, /^generated\/ was made for an older version of kirak .*: run npx kirak generate$/m],
    ["for a newer kirak", { code_format: codeFormat + 1 }, /^generated\/ was made for a newer version of kirak /],
    ["by an unknown one", null, /^generated\/manifest\.lock\.json is missing/],
  ];

  test.each(locks)(
    "does not run if it was made %s, from the sources or a build",
    async (_, lock, message) => {
      install();
      app.write("models/word.ts", 'throw new Error("it was run");\n');
      if (lock !== null) app.write("generated/manifest.lock.json", lock);
      expect((await status()).stderr).toMatch(message);
      // An image has only the build.
      if (lock !== null) app.write("dist/generated/manifest.lock.json", lock);
      build();
      app.remove("generated");
      expect((await status()).stderr).toMatch(message);
    },
  );
});
