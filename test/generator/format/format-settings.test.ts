import { join } from "node:path";
import { expect, test } from "vitest";
import { formatted } from "#generator/format/format";
import { formatSettings, settingsChecksum } from "#generator/format/format-settings";
import { project, repository } from "../support/project.ts";

const sum = (root: string) => settingsChecksum(formatSettings(root));

/** The sum of a project with some settings, in a file of this name. */
function sumOf(settings: object, name = "biome.json"): string {
  const { root, write, remove } = project();
  remove("biome.json");
  write(name, settings);
  return sum(root);
}

test("without biome.json the generator formats as this repository's says", () => {
  const { root, remove } = project();
  remove("biome.json");
  expect(sum(root)).toBe(sum(repository));
  expect(JSON.parse(formatSettings(root))).toMatchObject({ formatter: { lineWidth: 110 } });
});

test("only what decides formatting of TypeScript and JSON counts", () => {
  const counted = { formatter: { indentWidth: 4 }, javascript: { formatter: { quoteStyle: "single" } } };
  const others = {
    $schema: "./node_modules/@biomejs/biome/configuration_schema.json",
    vcs: { enabled: true },
    files: { includes: ["**", "!generated"] },
    linter: { enabled: false },
    css: { formatter: { enabled: true } },
  };
  const javascript = { ...counted.javascript, globals: ["it"], linter: { enabled: true } };
  const overrides = [{ includes: ["**/*.css"], formatter: { enabled: false } }];
  expect(sumOf({ ...others, ...counted, javascript, overrides })).toBe(sumOf({ ...counted, overrides: [] }));
});

test.each([
  [{ formatter: { indentWidth: 4 } }],
  [{ javascript: { formatter: { quoteStyle: "single" } } }],
  [{ json: { formatter: { lineWidth: 40 } } }],
  [{ assist: { enabled: false } }],
  [{ overrides: [{ includes: ["**/model.ts"], formatter: { lineWidth: 60 } }] }],
  [{ overrides: [{ includes: ["generated/**"], formatter: { lineWidth: 60 } }] }],
])("%j formats anew, in biome.jsonc too", (settings) => {
  expect(sumOf(settings)).not.toBe(sumOf({}));
  expect(sumOf(settings, "biome.jsonc")).toBe(sumOf(settings));
});

test.each([
  ["a file", { extends: ["./config/base.jsonc"] }],
  ["a file that extends one", { extends: ["./config/further.json"] }],
  ["a package", { extends: ["house-style/biome"] }],
  ["the repository around", { root: false, extends: "//" }],
])("what is extended counts by what it says, own settings over it: %s", async (_, extending) => {
  const base = { formatter: { indentWidth: 4, lineWidth: 60 }, overrides: [] };
  const { root, write } = project();
  const [house, app] = ["shop/node_modules/house-style", join(root, "shop")];
  write("biome.json", base);
  write(`${house}/package.json`, { name: "house-style", exports: { "./biome": "./base.json" } });
  write(`${house}/base.json`, base);
  write("shop/config/base.jsonc", `// ours\n${JSON.stringify(base)}`);
  write("shop/config/further.json", { extends: ["./base.jsonc", "./further.json"] });
  const own = {
    formatter: { lineWidth: 50 },
    overrides: [{ includes: ["*.ts"], formatter: { indentWidth: 3 } }],
  };
  write("shop/biome.json", { ...extending, ...own });
  expect(JSON.parse(formatSettings(app))).toEqual({ ...own, formatter: { indentWidth: 4, lineWidth: 50 } });
  expect((await formatted([{ path: "a.json", text: "{}" }], formatSettings(app))).get("a.json")).toBe("{}\n");
});

test("generated files of a project without biome.json are those of one with this repository's", async () => {
  const models = { books: { fields: { title: { type: "string", required: true, min: 3, max: 200 } } } };
  const [plain, formatted] = [project(models), project(models)];
  plain.remove("biome.json");
  await Promise.all([plain.generate(), formatted.generate()]);
  expect(plain.files("generated")).toEqual(formatted.files("generated"));
});
