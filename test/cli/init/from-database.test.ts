import { statSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { describe, expect, test } from "vitest";
import { filesBelow } from "../../generator/support/project.ts";
import { type Init, init as initWith, packagedExamples } from "./init-run.ts";

const examples = packagedExamples();
const fromDatabase = "postgres://me:hunter2@db.example.com:5432/shop";
const init = (wanted: Init = {}) => initWith(examples, { fromDatabase, ...wanted });

test("the app has no models before the database is read, and its text says what it can do", async () => {
  const { root, read, said, exitCode } = await init();
  const files = Object.keys(filesBelow(root)).filter((path) => !path.startsWith("node_modules/"));
  expect(files.filter((path) => /^(generated|models|test)\//.test(path))).toEqual([
    "models/manifest.json",
    "test/service.test.ts",
  ]);
  expect(JSON.parse(read("models/manifest.json")).name).toBe("my-app");
  expect(read("README.md")).toContain("## What is here");
  expect(exitCode).toBe(0);
  expect(said).toContain("created the app my-app in my-app, from the tables of your database (");
  expect(said).toContain(
    "to go on:\n  cd my-app\n  npm run generate\n  npm run secrets -- --write\n  npm run migrate -- up --dry-run\n",
  );
});

describe("the URL", () => {
  test("is only in .env, which only its owner can read and git ignores, and is not printed", async () => {
    const { root, said, complaints, read } = await init();
    const holding = Object.entries(filesBelow(root)).filter(([, text]) => text.includes("hunter2"));
    expect(holding.map(([path]) => path)).toEqual([".env"]);
    if (process.platform !== "win32") expect(statSync(join(root, ".env")).mode & 0o777).toBe(0o600);
    expect(read(".gitignore").split("\n")).toContain(".env");
    expect(said + complaints).not.toContain("hunter2");
  });

  test("is not on a command line, which other users of the machine see", async () => {
    const { steps } = await init();
    expect(steps.flatMap(({ words }) => words).join(" ")).not.toContain("hunter2");
    // Variables of the shell that runs it do not lead to another database.
    expect(steps.slice(1).map(({ variables }) => variables)).toEqual([
      { SERVICE_DATABASE_URL: fromDatabase },
    ]);
  });

  test.each([
    "postgres://me@localhost/shop?options=-c%20search_path%3Dsales",
    "postgres://me:a$HOME@localhost/shop",
    "postgresql://me:it's@localhost/shop",
    'postgresql://me:"`@localhost/shop',
  ])("%s is read from .env as it was given", async (url) => {
    const { read } = await init({ fromDatabase: url });
    expect(parseEnv(read(".env"))).toEqual({ SERVICE_DATABASE_URL: url.replaceAll("'", "%27") });
  });
});

test("packages are installed, then its own kirak reads the database, and one way on is printed", async () => {
  const { steps, root, said } = await init({ schema: "sales" });
  const program = join(root, "node_modules", "kirak", "lib/cli/kirak.js");
  expect(steps.map(({ program: name, words, folder }) => [name, ...words, folder])).toEqual([
    ["npm", "install", root],
    [process.execPath, program, "introspect", "--schema", "sales", root],
  ]);
  expect(said.match(/^to go on:/gm)).toHaveLength(1);
  const shown = [...said.matchAll(/^> (.*)$/gm)].map(([, line]) => line);
  expect(shown).toEqual(["npm install", "npm run introspect -- --schema sales"]);
});

test.each<[string, number[], number, string]>([
  ["installing", [1], 1, "  npm install\n  npm run introspect\n  npm run generate\n"],
  ["reading", [0, 2], 2, "  npm run introspect\n  npm run generate\n"],
])("%s fails: the output lists the remaining commands", async (_, ends, count, left) => {
  const { exitCode, steps, said } = await init({ ends });
  expect(exitCode).toBe(1);
  expect(steps).toHaveLength(count);
  expect(said).toContain(`to go on:\n  cd my-app\n${left}  npm run secrets -- --write`);
});

test("--no-install runs nothing, and prints the commands", async () => {
  const { exitCode, steps, said } = await init({ noInstall: true });
  expect({ exitCode, steps }).toEqual({ exitCode: 0, steps: [] });
  expect(said).toContain("  cd my-app\n  npm install\n  npm run introspect\n  npm run generate\n");
});
