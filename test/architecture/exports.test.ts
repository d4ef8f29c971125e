import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { textOf } from "./import-graph.ts";

const root = resolve(import.meta.dirname, "..", "..");
interface PublicExport {
  readonly "kirak-source": string;
  readonly types: string;
  readonly default: string;
}

const { "./package.json": itself, ...names }: Record<string, PublicExport> = JSON.parse(
  textOf("package.json"),
).exports;
const resolveByName = createRequire(join(root, "package.json")).resolve;

test.each(Object.entries(names))("%s leads to a file in the sources and to its build", (_, to) => {
  const source = to["kirak-source"];
  expect(source).toMatch(/^\.\/(runtime\/(index|exports\/[a-z-]+)|cli\/testing)\.ts$/);
  expect(existsSync(join(root, source))).toBe(true);
  const built = source.replace("./", "./lib/").replace(/\.ts$/, "");
  expect(to).toEqual({ "kirak-source": source, types: `${built}.d.ts`, default: `${built}.js` });
  // A compiler takes the first match.
  expect(Object.keys(to)).toEqual(["kirak-source", "types", "default"]);
});

test("package.json is exported, for tools that read its version", () => {
  expect(itself).toBe("./package.json");
});

test.each(["kirak/sql", "kirak/access/policy.ts", "kirak/runtime/server/server.ts", "kirak/access/index.ts"])(
  "%s is not exported and does not resolve",
  (path) => {
    expect(() => resolveByName(path)).toThrow(
      expect.objectContaining({ code: "ERR_PACKAGE_PATH_NOT_EXPORTED" }),
    );
  },
);

test("docs/package.md has a row for each name, with a page that exists and everything that the name exports", async () => {
  const rows = new Map(
    [...textOf("docs/package.md").matchAll(/^\| `(kirak\S*)` \| (.*) \|$/gm)].map(
      ([, name = "", cells = ""]) => [name, cells],
    ),
  );
  expect([...rows.keys()].map((name) => name.replace("kirak", ".")).sort()).toEqual(
    Object.keys(names).sort(),
  );
  for (const [name, cells] of rows) {
    const page = /\]\(([a-z-]+\.md)[)#]/.exec(cells)?.[1];
    expect(existsSync(join(root, "docs", page ?? "none")), name).toBe(true);
    const source = names[name.replace("kirak", ".")]?.["kirak-source"] ?? "";
    const given: object = await import(/* @vite-ignore */ join(root, source));
    expect(
      Object.keys(given).filter((one) => !cells.includes(`\`${one}\``)),
      name,
    ).toEqual([]);
  }
});
