import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { expect, test } from "vitest";
import { checkout, tarball } from "./support/tarball.ts";

const megabyte = 1_000_000;

const { path, content, source } = await tarball();
const files = readdirSync(content, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(content, join(entry.parentPath, entry.name)).split(sep).join("/"));
const held = new Set(files);
const textOf = (file: string) => readFileSync(join(content, file), "utf8");

test("holds what is said of it, and nothing else", () => {
  expect([...new Set(files.map((file) => file.split("/")[0]))].sort()).toEqual(
    // biome-ignore format: a list
    ["CHANGELOG.md", "LICENSE", "README.md", "cli", "docs", "generator", "lib", "package.json", "runtime", "schemas", "vocabulary"],
  );
  expect(files).toEqual(
    expect.arrayContaining([
      ...["lib/cli/kirak.js", "lib/runtime/index.js", "lib/runtime/index.d.ts", "lib/runtime/index.d.ts.map"],
      ...[
        "lib/templates/project/Dockerfile.hbs",
        "lib/schemas/models.schema.json",
        "schemas/models.schema.json",
      ],
      ...["lib/runtime/monitoring/dashboard/page/app.js", "docs/first-app.md"],
      ...["blank", "bookshop", "saas"].map((example) => `lib/examples/${example}/generated/index.ts`),
    ]),
  );
});

test("holds no tests, no rows to try the shop with, no benchmark, and the examples in their own folder alone", () => {
  const ours = files.filter((file) => !/^lib\/(?:examples|templates)\//.test(file));
  expect(
    ours.filter((file) => /\.test\.|(?:^|\/)(?:tests?|seed|benchmark|models|generated)\//.test(file)),
  ).toEqual([]);
  const examples = files.filter((file) => file.startsWith("lib/examples/"));
  expect(examples.filter((file) => !/^lib\/examples\/\w+\/(?:models|generated)\//.test(file))).toEqual(
    ["blank", "bookshop", "saas"].map((example) => `lib/examples/${example}/test/service.test.ts`),
  );
  expect(examples.filter((file) => /\/models\/(?:seed|test)\//.test(file))).toEqual([]);
});

test("each module has declarations, a source map and a map of its declarations, whose sources are here", () => {
  const modules = files.filter((file) => /^lib\/(?!examples\/).*\.js$/.test(file));
  expect(modules.length).toBeGreaterThan(1000);
  const isPage = (file: string) => file.startsWith("lib/runtime/monitoring/dashboard/page/");
  const missing = modules
    .filter((file) => !isPage(file) && held.has(sourceOf(file)))
    .flatMap((file) => [`${file}.map`, ...[".d.ts", ".d.ts.map"].map((end) => file.replace(/\.js$/, end))])
    .filter((file) => !held.has(file));
  expect(missing).toEqual([]);
  const lost = files
    .filter((file) => file.endsWith(".map"))
    .flatMap((file) => {
      const { sources, sourcesContent }: { sources: string[]; sourcesContent?: unknown } = JSON.parse(
        textOf(file),
      );
      if (sourcesContent !== undefined) return [];
      return sources
        .map((one) => join(dirname(file), one).split(sep).join("/"))
        .filter((one) => !held.has(one));
    });
  expect(lost).toEqual([]);
});

test("says nothing of the machine that packed it", () => {
  const places = [checkout, source, process.env["HOME"] ?? checkout].map((place) =>
    place.replace(/[\\/]$/, ""),
  );
  const named = files.filter((file) => {
    const text = textOf(file);
    return places.some((place) => place.length > 1 && text.includes(`${place}/`));
  });
  expect(named).toEqual([]);
});

test("takes less than 5 MB to download, and less than 16 MB on a disk", () => {
  const sizes = files.map((file) => statSync(join(content, file)).size);
  expect(statSync(path).size).toBeLessThan(5 * megabyte);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(16 * megabyte);
  expect(files.filter((_, index) => (sizes[index] ?? 0) > 150_000)).toEqual([]);
});

/** Where a module was compiled from. */
function sourceOf(module: string): string {
  return module.replace(/^lib\//, "").replace(/\.js$/, ".ts");
}
