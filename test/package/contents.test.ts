import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { expect, test } from "vitest";
import { packagedFiles } from "#runtime/modules/docs/packaged-files";
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
    ["CHANGELOG.md", "LICENSE", "README.md", "action.yml", "docs", "lib", "package.json", "schemas"],
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

const sizes = files.map((file) => statSync(join(content, file)).size);
const sumOf = (isMeant: (file: string) => boolean) =>
  sizes.reduce((sum, size, index) => sum + (isMeant(files[index] ?? "") ? size : 0), 0);
const packaged = "lib/runtime/modules/docs/packages/";

test("takes less than 3.15 MB to download, and less than 11.5 MB on a disk", () => {
  expect(statSync(path).size).toBeLessThan(3.15 * megabyte);
  expect(sumOf(() => true)).toBeLessThan(11.5 * megabyte);
  const large = files.filter((file, index) => (sizes[index] ?? 0) > 150_000 && !file.startsWith(packaged));
  // The documents of the examples list all routes of an app.
  expect(large.filter((file) => !/^lib\/examples\/[^/]+\/generated\/openapi\.json$/.test(file))).toEqual([]);
});

test("the files of Swagger UI and GraphiQL take at most 4 MB, with their licences", () => {
  const names = Object.keys(packagedFiles);
  expect(files.filter((file) => file.startsWith(packaged)).sort()).toEqual(
    [...names, "LICENSES.txt"].map((name) => packaged + name).sort(),
  );
  expect(sumOf((file) => file.startsWith(packaged))).toBeLessThan(4 * megabyte);
  const licences = textOf(`${packaged}LICENSES.txt`);
  for (const text of [
    ...[
      "# swagger-ui-dist\n",
      "Apache License",
      "SmartBear Software",
      "Cure53",
      "# graphiql\n",
      "GraphQL Contributors",
    ],
    ...["# react\n", "# react-dom\n", "Facebook, Inc.", "# codemirror\n", "Marijn Haverbeke", "# graphql\n"],
  ])
    expect(licences).toContain(text);
});

test("they have exact versions, since pages depend on their inner names", () => {
  const { devDependencies } = JSON.parse(textOf("package.json"));
  for (const [name] of Object.values(packagedFiles)) expect(devDependencies[name]).toMatch(/^\d+\.\d+\.\d+$/);
});
