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

test("holds the documented files, and nothing else", () => {
  expect([...new Set(files.map((file) => file.split("/")[0]))].sort()).toEqual(
    // biome-ignore format: a list
    ["CHANGELOG.md", "LICENSE", "README.md", "docs", "lib", "package.json", "schemas"],
  );
  // biome-ignore format: one case a line
  expect(files).toEqual(
    expect.arrayContaining([
      ...["lib/cli/kirak.js", "lib/runtime/index.js", "lib/runtime/index.d.ts"],
      ...["lib/templates/project/Dockerfile.hbs", "lib/schemas/models.schema.json", "schemas/models.schema.json"],
      ...["lib/runtime/modules/monitoring/dashboard/page/app.js", "docs/first-app.md"],
      ...["blank", "bookshop", "saas"].map((example) => `lib/examples/${example}/generated/index.ts`),
    ]),
  );
});

test("holds no tests, no rows of the example shop, no benchmark, and the examples only in their own folder", () => {
  const ours = files.filter((file) => !/^lib\/(?:examples|templates|runtime)\//.test(file));
  expect(
    ours.filter((file) => /\.test\.|(?:^|\/)(?:tests?|seed|benchmark|models|generated)\//.test(file)),
  ).toEqual([]);
  const examples = files.filter((file) => file.startsWith("lib/examples/"));
  expect(examples.filter((file) => !/^lib\/examples\/\w+\/(?:models|generated)\//.test(file))).toEqual(
    ["blank", "bookshop", "saas"].map((example) => `lib/examples/${example}/test/service.test.ts`),
  );
  expect(examples.filter((file) => /\/models\/(?:seed|test)\//.test(file))).toEqual([]);
});

test("holds at most 2,500 files: no sources, no maps, no state of the compiler", () => {
  expect(files.length).toBeLessThanOrEqual(2_500);
  // The generator prints clients of these texts.
  const ours = files.filter((file) => !/^lib\/(?:examples|templates\/client)\//.test(file));
  expect(ours.filter((file) => /(?<!\.d)\.ts$|\.map$|tsbuildinfo$/.test(file))).toEqual([]);
  const mapped = ours.filter((file) => file.endsWith(".js") && textOf(file).includes("sourceMappingURL"));
  expect(mapped).toEqual([]);
});

test("holds the declarations that its exports lead to", () => {
  const declarations = files.filter((file) => file.endsWith(".d.ts"));
  const missing = declarations.flatMap((file) =>
    [...textOf(file).matchAll(/(?:\bfrom |\bimport\()"(\.[^"]+)\.ts"/g)]
      .map(([, path = ""]) => `${join(dirname(file), path).split(sep).join("/")}.d.ts`)
      .filter((path) => !held.has(path)),
  );
  expect(missing).toEqual([]);
  expect(declarations).not.toContain("lib/cli/kirak.d.ts");
});

test("has no traces of the machine that packed it", () => {
  const places = [checkout, source, process.env["HOME"] ?? checkout].map((place) =>
    place.replace(/[\\/]$/, ""),
  );
  const named = files.filter((file) => {
    const text = textOf(file);
    return places.some((place) => place.length > 1 && text.includes(`${place}/`));
  });
  expect(named).toEqual([]);
});

test("takes less than 2 MB to download, and less than 7 MB on a disk", () => {
  const sizes = files.map((file) => statSync(join(content, file)).size);
  expect(statSync(path).size).toBeLessThan(2 * megabyte);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(7 * megabyte);
  const large = files.filter((_, index) => (sizes[index] ?? 0) > 150_000);
  // The documents of the examples list all routes of an app.
  expect(large.filter((file) => !/^lib\/examples\/[^/]+\/generated\/openapi\.json$/.test(file))).toEqual([]);
});
