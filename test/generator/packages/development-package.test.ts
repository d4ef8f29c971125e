import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { stopOf } from "#generator/diagnostics/stop";
import { developmentFile, developmentModule } from "#generator/packages/development-package";
import { project, repository } from "../support/project.ts";

test("a development package is resolved from the generator's own folder", () => {
  const { root, write, remove } = project();
  remove("node_modules");
  write("node_modules/typescript/package.json", { name: "typescript", version: "1.0.0" });
  const own = realpathSync(join(repository, "node_modules/typescript/package.json"));
  expect(developmentFile("typescript", "package.json", root)).toBe(own);
});

test("a missing one is resolved from the app, or else the error has the command that installs it", () => {
  const app = realpathSync(mkdtempSync(join(tmpdir(), "kirak-app-")));
  onTestFinished(() => rmSync(app, { recursive: true, force: true }));
  const asked = () => developmentModule("@biomejs/biome", "of-the-app.js", app);
  expect(problemOf(asked)).toMatchObject({
    kind: "absent",
    message: "the package @biomejs/biome is not installed here, and the generator needs it",
    fix: expect.stringContaining("npm install --save-dev @biomejs/biome"),
  });
  const { write, root } = project();
  write("apps/shop/node_modules/@biomejs/biome/of-the-app.js", "");
  const path = join(root, "apps/shop/node_modules/@biomejs/biome/of-the-app.js");
  expect(developmentModule("@biomejs/biome", "of-the-app.js", join(root, "apps/shop"))).toBe(
    pathToFileURL(realpathSync(path)).href,
  );
});

function problemOf(action: () => void): unknown {
  try {
    action();
    return null;
  } catch (error) {
    return stopOf(error)?.reasons.problems?.[0];
  }
}
