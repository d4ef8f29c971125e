import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { textOf } from "./import-graph.ts";

const root = resolve(import.meta.dirname, "..", "..");
const { exports: doors }: { exports: Record<string, { source: string; default: string }> } = JSON.parse(
  textOf("package.json"),
);
const resolveByName = createRequire(join(root, "package.json")).resolve;

test.each(Object.entries(doors))(
  "%s leads to a door in the sources, and to the build of the same file",
  (_, to) => {
    expect(to.source).toMatch(/^\.\/runtime\/(start|([a-z-]+\/)?index)\.ts$/);
    expect(existsSync(join(root, to.source))).toBe(true);
    expect(to.default).toBe(to.source.replace("./", "./dist/").replace(/\.ts$/, ".js"));
  },
);

test.each(["kirak/sql", "kirak/access/policy.ts", "kirak/runtime/server.ts", "kirak/access/index.ts"])(
  "%s is no door, and does not resolve",
  (path) => {
    expect(() => resolveByName(path)).toThrow(
      expect.objectContaining({ code: "ERR_PACKAGE_PATH_NOT_EXPORTED" }),
    );
  },
);

test("docs/architecture.md names the doors that there are", () => {
  const named = [...textOf("docs/architecture.md").matchAll(/^\| (`kirak.*?) \|/gm)].flatMap(
    ([, cell = ""]) => [...cell.matchAll(/`kirak(\/[a-z-]+)?`/g)],
  );
  expect(named.map(([, path = ""]) => `.${path}`).sort()).toEqual(Object.keys(doors).sort());
});
