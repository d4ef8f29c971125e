import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { testDatabase } from "../support/database.ts";
import { linkedApp, nodeProgram } from "./support/installed.ts";
import { leaveProduction } from "./support/whole-way.ts";

/** The oldest version that Kirak supports, and the lines that get fixes. */
test.each(["20.19.0", "22", "24", "26"])(
  "an app is generated, served, tested and built by Node.js %s",
  { timeout: 240_000 },
  async (version) => {
    const node = await nodeProgram(version);
    const linked = await linkedApp(join(inject("runFolder"), `node ${version}`, "app"), "--example", "blank");
    const { url } = await testDatabase();
    const app = linked.with({
      SERVICE_DATABASE_URL: url,
      SERVICE_TEST_DATABASE_URL: inject("postgresUrl"),
    });
    expect((await app.succeed(node, "--version")).output).toMatch(new RegExp(`^v${version}\\b`));
    const [kirak, vitest] = ["node_modules/kirak/lib/cli/kirak.js", "node_modules/vitest/vitest.mjs"];

    await app.succeed(node, kirak, "generate", "--check");
    const sources = await app.serve([kirak, "start"], node);
    expect(await sources.ask("/notes/fetch")).toMatchObject({ status: 200 });
    expect(await sources.stop()).toBe(0);
    await app.succeed(node, vitest, "run");
    await app.succeed(node, kirak, "build");
    const built = await (await leaveProduction(app)).serve([kirak, "start"], node);
    expect(await built.ask("/notes/fetch")).toMatchObject({ status: 200 });
    expect(await built.stop()).toBe(0);
  },
);
