import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { testDatabase } from "../support/database.ts";
import { installedApp, linkedApp } from "./support/installed.ts";
import {
  changeModel,
  commit,
  leaveProduction,
  statusByField,
  takeToProduction,
} from "./support/whole-way.ts";

const examples = [
  { example: "bookshop", model: "authors", before: '"country": {' },
  { example: "saas", model: "organisations", before: '"plan": {' },
];
const apps = [];
for (const row of examples) {
  const root = join(inject("runFolder"), "a shop", row.example);
  const app = await linkedApp(root, "--example", row.example);
  const { url } = await testDatabase();
  apps.push({
    ...row,
    app: app.with({ SERVICE_DATABASE_URL: url, SERVICE_TEST_DATABASE_URL: inject("postgresUrl") }),
  });
}

test.concurrent.each(apps)(
  "$example serves, is tested, changed and built, and serves in production",
  { timeout: 240_000 },
  async ({ app, ...change }) => {
    const installed = JSON.parse((await installedApp()).read("package.json"));
    const { dependencies, devDependencies } = JSON.parse(app.read("package.json"));
    // Apps with text messages or files depend on these as well.
    const { "libphonenumber-js": _, sharp: __, ...shared } = dependencies;
    expect({ dependencies: Object.keys(shared), devDependencies }).toEqual({
      dependencies: Object.keys(installed.dependencies),
      devDependencies: installed.devDependencies,
    });
    await commit(app, "the app");

    const first = await app.serve();
    expect(await statusByField(app, change, first.ask)).toBe(400);
    expect(await first.stop()).toBe(0);
    await app.succeed(process.execPath, "node_modules/vitest/vitest.mjs", "run");

    changeModel(app, change);
    await takeToProduction(app);
    const production = await leaveProduction(app);
    const last = await production.serve();
    expect(await statusByField(app, change, last.ask)).toBe(200);
    expect(await last.stop()).toBe(0);
  },
);
