import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { testBrowser } from "../support/browser.ts";
import { testDatabase } from "../support/database.ts";
import { openOperation, tryOperation, typeQuery } from "../support/docs-pages.ts";
import type { Served } from "./support/app.ts";
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

const browser = testBrowser();

/** The API reference and GraphiQL work with the files of the tarball. */
async function expectPages({ origin }: Served, model: string): Promise<void> {
  if (browser === null) return;
  const { page, complaints, strays } = await browser.keep(origin);
  await page.goto(`${origin}/docs`);
  const [url, status] = await tryOperation(await openOperation(page, "health", "health"));
  expect([url, status]).toEqual([`${origin}/healthz`, "200"]);
  await page.goto(`${origin}/docs/graphql`);
  expect(await typeQuery(page, `{ ${model.slice(0, 4)}`)).toContain(model);
  expect({ complaints, strays }).toEqual({ complaints: [], strays: [] });
}

/** The build has the document and the package the files of its page; GraphiQL is for development. */
const inProduction = [
  ["/openapi.json", 200],
  ["/docs", 200],
  ["/docs/swagger-ui-bundle.js", 200],
  ["/docs/graphql", 404],
  ["/docs/schema.graphql", 404],
] as const;

test.concurrent.each(apps)(
  "$example serves, is tested, changed and built, and serves in production",
  { timeout: 240_000 },
  async ({ app, ...change }) => {
    const installed = JSON.parse((await installedApp()).read("package.json"));
    const { dependencies, devDependencies } = JSON.parse(app.read("package.json"));
    // Apps with text messages, files or tools for assistants depend on these as well.
    const ofModules = [
      "libphonenumber-js",
      "sharp",
      "@modelcontextprotocol/server",
      "@modelcontextprotocol/node",
    ];
    const shared = Object.keys(dependencies).filter((name) => !ofModules.includes(name));
    expect({ dependencies: shared, devDependencies }).toEqual({
      dependencies: Object.keys(installed.dependencies),
      devDependencies: installed.devDependencies,
    });
    await commit(app, "the app");

    const first = await app.serve();
    expect(await statusByField(app, change, first.ask)).toBe(400);
    await expectPages(first, change.model);
    expect(await first.stop()).toBe(0);
    await app.succeed(process.execPath, "node_modules/vitest/vitest.mjs", "run");

    changeModel(app, change);
    await takeToProduction(app);
    const production = await leaveProduction(app);
    const last = await production.with({ SERVICE_SET_DOCS__ENABLED: "true" }).serve();
    expect(await statusByField(app, change, last.ask)).toBe(200);
    for (const [path, status] of inProduction)
      expect([path, (await last.ask(path)).status]).toEqual([path, status]);
    expect(await last.stop()).toBe(0);
  },
);
