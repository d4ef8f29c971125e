import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { textOf } from "./import-graph.ts";

const root = resolve(import.meta.dirname, "..", "..");
interface Door {
  readonly "kirak-source": string;
  readonly types: string;
  readonly default: string;
}

const { "./package.json": itself, ...doors }: Record<string, Door> = JSON.parse(
  textOf("package.json"),
).exports;
const resolveByName = createRequire(join(root, "package.json")).resolve;

test.each(Object.entries(doors))(
  "%s leads to a door in the sources, and to the build of the same file",
  (_, to) => {
    const source = to["kirak-source"];
    expect(source).toMatch(/^\.\/runtime\/(start|([a-z-]+\/)?index)\.ts$/);
    expect(existsSync(join(root, source))).toBe(true);
    const built = source.replace("./", "./lib/").replace(/\.ts$/, "");
    expect(to).toEqual({ "kirak-source": source, types: `${built}.d.ts`, default: `${built}.js` });
    // A compiler takes the first that fits.
    expect(Object.keys(to)).toEqual(["kirak-source", "types", "default"]);
  },
);

test("beside them the package's own description alone is found, by tools that ask for its version", () => {
  expect(itself).toBe("./package.json");
});

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
