import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import jsonwebtoken from "jsonwebtoken";
import { expect, test } from "vitest";
import { jwtSecret } from "../support/service-token.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { folderWith } from "./support/folder-with.ts";
import { kirak } from "./support/kirak.ts";

const app = folderWith({
  "models/models.json": {},
  "models/manifest.json": {},
  "models/hooks/books.ts": "",
  ".env": `SERVICE_AUTH_JWT_SECRET_KEY="${jwtSecret}"\n`,
});
const empty = temporaryFolder("kirak-no-app-");

test("a command runs in the app that the folder is in", async () => {
  const { status, stdout } = await kirak(join(app, "models/hooks"), ["token"]);
  expect(status).toBe(0);
  expect(jsonwebtoken.verify(stdout.trim(), jwtSecret)).toMatchObject({ role: "user" });
});

test("secrets are written to the .env of the app, and printed where that is not asked for", async () => {
  const shop = folderWith({ "models/models.json": {}, "models/hooks/books.ts": "" });
  const inHooks = (...words: string[]) => kirak(join(shop, "models/hooks"), ["secrets", ...words]);
  const printed = await inHooks();
  expect(printed).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^POSTGRES_PASSWORD=[\w-]{64}$/m),
  });
  expect(existsSync(join(shop, ".env"))).toBe(false);
  const written = await inHooks("--write");
  expect(written).toMatchObject({
    status: 0,
    stderr: "",
    stdout: expect.stringMatching(/^created \.env with SERVICE/),
  });
  for (const value of Object.values(parseEnv(readFileSync(join(shop, ".env"), "utf8"))))
    expect(written.stdout).not.toContain(value);
  rmSync(join(shop, ".env"));
  mkdirSync(join(shop, ".env"));
  expect(await inHooks("--write")).toMatchObject({
    status: 1,
    stdout: "",
    stderr: expect.stringMatching(/^\.env is a folder/),
  });
});

test("without an app it prints that and how to create one; help still works", async () => {
  expect(await kirak(empty, ["token"])).toEqual({
    status: 2,
    stdout: "",
    stderr: `no app in ${empty} or a parent folder: models/models.json and models/manifest.json are missing\nrun \`npx kirak init my-app\` to create one\n`,
  });
  expect(await kirak(empty, ["token", "--rol", "x"])).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^Unknown argument: rol; did you mean --role\?/),
  });
  const help = await kirak(empty, ["token", "--help"]);
  expect(help).toMatchObject({
    status: 0,
    stderr: "",
    stdout: expect.stringMatching(/^kirak token \[flags\]\n/),
  });
  expect(await kirak(empty, ["help", "token"])).toEqual(help);
  expect((await kirak(empty, ["secrets"])).status).toBe(0);
  expect((await kirak(empty, ["generate"])).stderr).toContain("no app in");
  for (const words of [["--models", "here.json"], ["--models=here.json"]])
    expect((await kirak(empty, ["generate", ...words])).stderr).toContain(
      "here.json:1:1 - error missing-file",
    );
  const { status, stdout, stderr } = await kirak(empty, ["generate", "--check", "--json"]);
  expect({ status, stderr }).toEqual({ status: 2, stderr: "" });
  expect(JSON.parse(stdout).problems[0].message).toContain("no app in");
});

test.each([
  ["token", "npm run token -- --help"],
  ["npx", "npx kirak token --help"],
  ["test", "kirak token --help"],
])("called through %s, it is named as it was called", async (npm_lifecycle_event, line) => {
  const { stderr } = await kirak(app, ["token", "x"], { npm_lifecycle_event });
  expect(stderr).toBe(`Unknown argument: x\n\`${line}\` lists the flags\n`);
});

test("an unknown command ends with 2, and kirak without a command lists the commands", async () => {
  expect(await kirak(empty, ["genrate"])).toEqual({
    status: 2,
    stdout: "",
    stderr: "unknown command genrate; did you mean generate?\n`kirak --help` lists the commands\n",
  });
  const { stderr } = await kirak(empty, ["genrate"], { npm_lifecycle_event: "npx" });
  expect(stderr).toContain("`npx kirak --help` lists the commands");
  const overview = await kirak(empty, []);
  expect(overview).toMatchObject({ status: 0, stderr: "" });
  expect(await kirak(empty, ["--help"])).toEqual(overview);
});
