import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compile } from "#generator/compile/compile-check";

const root = join(import.meta.dirname, "..", "..", "..");

/** What the pages leave out: imports that a file has already, what a call stands in, and what an example calls as that of others. */
// biome-ignore format: one case a line
const leftOut: readonly (readonly [uses: RegExp, has: RegExp, line: string])[] = [
  [/new ServiceError/, /import .*ServiceError/, 'import { ServiceError } from "kirak";'],
  [/^await context\./, /^import /, 'export {};\ndeclare const context: import("kirak").CodeContext;'],
  [/await moderate\(/, /function moderate/,
    "declare function moderate(review: unknown): Promise<{ usage: { input: number; output: number }; cost: number; turns: number }>;"],
  ...["Customers", "Orders", "Reviews"].map(
    (name) =>
      [
        new RegExp(`: ${name}Hooks\\[`),
        new RegExp(`import type .*${name}Hooks`),
        `import type { ${name}Hooks } from "../../generated/models/${name.toLowerCase()}/model.ts";`,
      ] as const,
  ),
];

function whole(code: string): string {
  const missing = leftOut.filter(([uses, has]) => uses.test(code) && !has.test(code));
  return [...missing.map(([, , line]) => line), code].join("\n");
}

/** As files of the shop, each by itself. */
const examples = new Map(
  ["hooks", "jobs", "routes"].flatMap((page) =>
    // Recipes have models of their own: `test/docs/code-recipes.test.ts` runs them.
    [
      ...readFileSync(join(root, "docs", `${page}.md`), "utf8")
        .replace(/^## Recipes\n[\s\S]*?(?=^## |$(?![\s\S]))/m, "")
        .matchAll(/```ts\n([\s\S]*?)```/g),
    ].map(([, code = ""], index) => [`models/shown/${page}-${index}.ts`, whole(code)] as const),
  ),
);

test("what the pages on hooks, jobs and routes show compiles in the book shop", async () => {
  expect(examples.size).toBeGreaterThan(10);
  const { errors } = await compile({ root, overlay: examples, further: ["generated/app.ts"] });
  expect(errors).toEqual([]);
});
