import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { appBuild } from "#cli/app/app-build";
import { appModule, ownModule } from "#cli/app/app-module";
import { buildApp } from "#cli/app/build-app";
import { loadService } from "#cli/app/load-service";
import { ownPackage } from "#cli/own-package";
import { codeFormat } from "#vocabulary/code-format";
import { markBuild } from "../../../cli/app/build-mark.js";
import { type AppFolder, appFolder } from "./app-folder.ts";

let app: AppFolder;

beforeEach(() => {
  app = appFolder();
  app.write("models/word.ts", 'export const word: string = "sources";\n');
  app.write("models/unused.ts", "export {};\n");
  app.write("models/test/word.test.ts", "export {};\n");
  app.write(
    "generated/index.ts",
    'import { word } from "../models/word.ts";\nexport const service = word;\n',
  );
});

let imports = 0;

/** Of a folder that was compiled anew as well. */
async function exported(module: URL): Promise<unknown> {
  const { service }: { service: unknown } = await import(
    /* @vite-ignore */ `${module.href}?import=${++imports}`
  );
  return service;
}

/** What the app's entry exports, of whatever is run. */
const says = () => exported(entry());

const entry = () => appModule(app.root, "generated/index.ts");

function install(): void {
  mkdirSync(join(app.root, "node_modules"));
  symlinkSync(ownPackage().folder, join(app.root, "node_modules", "kirak"));
}

/** A build that says so, of the sources that are there. */
function build(): void {
  app.write("dist/generated/index.js", 'export const service = "build";\n');
  markBuild(appBuild(app.root));
}

describe("a module of an app", () => {
  test("is that of the build of these very sources, and else the sources, compiled", async () => {
    install();
    expect(await says()).toBe("sources");
    build();
    expect(await says()).toBe("build");
  });

  test.each([
    ["a source", () => app.write("models/word.ts", 'export const word = "sources";')],
    ["a file more", () => app.write("models/further.ts", "export {};")],
    ["a file less", () => app.remove("models/unused.ts")],
    ["a file beside what is left out", () => app.write("models/tests.ts", "export {};")],
    [
      "the compiler's settings",
      () => app.write("tsconfig.json", { compilerOptions: { module: "nodenext" } }),
    ],
    ["what is built", () => app.write("tsconfig.build.json", { include: ["generated"] })],
    ["the mark of a build that failed", () => app.remove("dist/sources.sha256")],
  ])("is never that of an old build: %s changed", async (_, change) => {
    install();
    build();
    change();
    expect(await says()).toBe("sources");
  });

  test("goes by content, and not by what is read at the start or left out of the build", async () => {
    install();
    build();
    const later = new Date(Date.now() + 3_600_000);
    utimesSync(join(app.root, "models/word.ts"), later, later);
    app.write("models/manifest.json", { name: "other" });
    app.write("models/models.json", { books: {} });
    app.write("models/test/word.test.ts", "export const other = 1;\n");
    expect(await says()).toBe("build");
  });

  test("is that of the build where it is all there is, as in an image", async () => {
    install();
    build();
    for (const path of ["generated", "models", "tsconfig.json", "tsconfig.build.json"]) app.remove(path);
    expect(await says()).toBe("build");
  });

  test("is not that of a build whose kirak is another one than the one that runs it", async () => {
    build();
    expect(await says()).toBe("sources");
    app.write("node_modules/kirak/package.json", {
      name: "kirak",
      exports: { "./package.json": "./package.json" },
    });
    expect(await says()).toBe("sources");
  });

  test("follows the sources that are there, and those that they import from elsewhere", () => {
    app.write("words/one.ts", 'export const word: string = "one";\n');
    app.write("models/word.ts", 'export { word } from "../words/one.ts";\n');
    const elsewhere = () => readFileSync(new URL("../words/one.js", entry()), "utf8");
    expect(elsewhere()).toContain("one");
    app.write("words/one.ts", 'export const word: string = "two";\n');
    expect(elsewhere()).toContain("two");
    app.write("models/word.ts", 'export const word: string = "three";\n');
    expect(readFileSync(new URL("../models/word.js", entry()), "utf8")).toContain("three");
    expect(existsSync(new URL("../words", entry()))).toBe(false);
  });

  test("imports nothing from outside of the app but packages, and nothing is written there", async () => {
    app.write("shared/word.ts", 'export const word: string = "shared";\n');
    app.write("shared/package.json", {
      name: "shared",
      exports: { types: "./word.ts", default: "./word.mjs" },
    });
    app.write("shared/word.mjs", 'export const word = "of a package";\n');
    app.write("inner/package.json", { name: "inner", type: "module" });
    app.write("inner/generated/index.ts", 'export { word as service } from "../models/word.ts";\n');
    app.write("inner/models/word.ts", 'export { word } from "../../shared/word.ts";\n');
    const inner = () => appModule(join(app.root, "inner"), "generated/index.ts");
    expect(inner).toThrow("models/word.ts imports ../../shared/word.ts, which is outside of this folder");
    mkdirSync(join(app.root, "inner", "node_modules"));
    symlinkSync(join(app.root, "shared"), join(app.root, "inner", "node_modules", "shared"));
    app.write("inner/models/word.ts", 'export { word } from "shared";\n');
    expect(await exported(inner())).toBe("of a package");
    expect(readdirSync(join(app.root, "shared")).sort()).toEqual(["package.json", "word.mjs", "word.ts"]);
  });

  test("with a mistake is told with its place", () => {
    app.write("models/word.ts", "const = 3;\n");
    expect(entry).toThrow(/cannot be compiled:\nmodels\/word\.ts\(1,7\)/);
  });

  test("is never one of a folder that was compiled in part", async () => {
    expect(await says()).toBe("sources");
    const trees = join(app.root, "var/kirak/compiled");
    const [tree = ""] = readdirSync(trees);
    rmSync(join(trees, tree, "elsewhere.json"));
    app.remove(`var/kirak/compiled/${tree}/models/word.js`);
    mkdirSync(join(trees, "draft-killed"));
    const found = entry();
    expect(await exported(found)).toBe("sources");
    expect(readdirSync(join(trees, tree))).toContain("elsewhere.json");
  });

  test("imports the package that runs it, whatever the app has installed", async () => {
    app.write("generated/index.ts", 'export const service = import.meta.resolve("kirak/package.json");\n');
    const found = entry();
    const linked = join(found.pathname.replaceAll("%20", " "), "../../node_modules/kirak/package.json");
    expect(await import(linked)).toMatchObject({ default: { name: "kirak" } });
  });
});

describe("a file of one's own", () => {
  test("is compiled with the app, also where its folder is no part of it; JavaScript runs as it is", async () => {
    app.write(
      "tools/seed.ts",
      'import { word } from "../models/word.ts";\nexport const service: string = word + ", seeded";\n',
    );
    app.write("seed.ts", 'export const service: string = "at the top";\n');
    app.write("seed.js", 'export const service = "JavaScript";\n');
    expect(await exported(ownModule(app.root, "tools/seed.ts"))).toBe("sources, seeded");
    expect(await exported(ownModule(app.root, "./seed.ts"))).toBe("at the top");
    expect(await exported(ownModule(app.root, join(app.root, "seed.js")))).toBe("JavaScript");
  });

  test.each([
    ["../seed.ts", /is not in /],
    ["missing.ts", "missing.ts is missing"],
    ["tools", "tools is a folder"],
  ])("%s is refused", (path, message) => {
    app.write("tools/seed.ts", "export {};\n");
    expect(() => ownModule(app.root, path)).toThrow(message);
  });
});

describe("the build of an app", () => {
  test("is made anew, with the lock beside the code, and is what runs then", async () => {
    install();
    app.write("generated/manifest.lock.json", { models: "sum" });
    app.write("dist/old.js", "");
    buildApp(app.root);
    expect(readdirSync(join(app.root, "dist"))).toEqual(["generated", "models", "sources.sha256"]);
    expect(readdirSync(join(app.root, "dist/models"))).toEqual(["unused.js", "word.js"]);
    expect(app.read("dist/generated/manifest.lock.json")).toContain("sum");
    // Models without a table have no migration to compile, and the service starts none the less.
    expect(readdirSync(join(app.root, "dist/generated/migrations"))).toEqual([]);
    expect(entry().href).toContain("/dist/generated/index.js");
  });

  test("holds a server of one's own that include lists, and that runs then", () => {
    install();
    app.write("server.ts", 'export { service } from "./generated/index.ts";\n');
    app.write("tsconfig.build.json", {
      ...JSON.parse(app.read("tsconfig.build.json")),
      include: ["generated", "models", "server.ts"],
    });
    buildApp(app.root);
    expect(app.read("dist/server.js")).toContain('from "./generated/index.js"');
    expect(ownModule(app.root, "server.ts").href).toContain("/dist/server.js");
    app.remove("server.ts");
    app.remove("generated");
    expect(ownModule(app.root, "server.ts").href).toContain("/dist/server.js");
  });

  test("checks types, and a build that fails is none", () => {
    app.write("models/word.ts", "export const word: string = 3;\n");
    expect(() => buildApp(app.root)).toThrow(/^models\/word\.ts\(1,14\): error TS2322/);
    expect(entry().href).toContain("/var/kirak/compiled/");
  });

  test.each([
    ["generated", "generated/ is missing: run npm run generate"],
    ["tsconfig.build.json", "tsconfig.build.json is missing"],
  ])("that cannot be made leaves the one that is there: %s is missing", (path, message) => {
    app.write("dist/old.js", "");
    app.remove(path);
    expect(() => buildApp(app.root)).toThrow(message);
    expect(app.read("dist/old.js")).toBe("");
  });
});

describe("the service of an app", () => {
  test("that nobody has generated is named", async () => {
    app.remove("generated");
    await expect(loadService(app.root)).rejects.toThrow("generated/ is missing: run npm run generate");
  });

  test("is loaded after .env, which its hooks may read", async () => {
    app.write("generated/manifest.lock.json", { code_format: codeFormat });
    app.write(".env", "WORD_OF_APP_MODULE_TEST=from-the-file\n");
    app.write("generated/index.ts", "export const service = process.env.WORD_OF_APP_MODULE_TEST;\n");
    expect(await loadService(app.root)).toBe("from-the-file");
    delete process.env["WORD_OF_APP_MODULE_TEST"];
  });

  test.each([
    [
      "for an older kirak",
      { format: "" },
      /^generated\/ was made for an older kirak .*: run npx kirak generate$/,
    ],
    ["for a newer kirak", { code_format: codeFormat + 1 }, /^generated\/ was made for a newer kirak /],
    ["for nobody knows which", null, /^generated\/manifest\.lock\.json is missing/],
  ])("is not run where it was made %s, of the sources or of a build", async (_, lock, message) => {
    install();
    app.write("models/word.ts", 'throw new Error("it was run");\n');
    if (lock !== null) app.write("generated/manifest.lock.json", lock);
    await expect(loadService(app.root)).rejects.toThrow(message);
    // An image has the build alone.
    if (lock !== null) app.write("dist/generated/manifest.lock.json", lock);
    build();
    app.remove("generated");
    await expect(loadService(app.root)).rejects.toThrow(message);
  });
});
