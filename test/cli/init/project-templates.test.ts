import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { projectView } from "#cli/init/project-files";
import { loadTemplate } from "#generator/emit/templates";
import { filesBelow, repository } from "../../generator/support/project.ts";

const own = (path: string) => readFileSync(join(repository, path), "utf8");
const printed = (template: string) =>
  loadTemplate(`project/${template}`)(projectView("bookshop", "bookshop", "docs/"));
const settings = (text: string) => JSON.parse(text).compilerOptions;

// What this repository has as well is one text: the book shop at its root is an app too.
test.each([
  [".env.example", "env.example"],
  [".gitattributes", "gitattributes"],
  ["compose.yaml", "compose.yaml"],
])("%s of this repository is what an app gets", (path, template) => {
  expect(printed(template)).toBe(own(path));
});

test("git ignores in this repository all that it ignores in an app", () => {
  const lines = own(".gitignore").split("\n");
  expect(
    printed("gitignore")
      .split("\n")
      .filter((line) => !lines.includes(line)),
  ).toEqual([]);
});

test("types are checked as strictly as here", () => {
  const { customConditions: _, allowJs: _js, checkJs: _checked, ...strict } = settings(own("tsconfig.json"));
  expect(settings(printed("tsconfig.json"))).toEqual(strict);
  const { customConditions: __, ...build } = settings(own("tsconfig.build.json"));
  expect(settings(printed("tsconfig.build.json"))).toEqual(build);
});

test("an image is made as that of this repository, but for what it starts", () => {
  const lines = own("Dockerfile").split("\n");
  const others = printed("Dockerfile")
    .split("\n")
    .filter((line) => !lines.includes(line));
  expect(others).toEqual(['CMD ["node_modules/.bin/kirak", "start"]']);
});

test("the workflow checks what is generated, reviews pull requests, and checks types, tests and the build", () => {
  const { jobs }: { jobs: { check: { steps: { if?: string; uses?: string; run?: string }[] } } } = parse(
    printed("ci.yaml"),
  );
  const { steps } = jobs.check;
  // biome-ignore format: many a line
  expect(steps.slice(2).map(({ run, uses }) => run ?? uses)).toEqual([
    "npm ci", "./node_modules/kirak", "npm run --silent generate -- --check",
    "npm run typecheck", "npm test", "npm run build",
  ]);
  expect(steps.slice(3, 5).map((step) => step.if)).toEqual([
    "github.event_name == 'pull_request'",
    "github.event_name != 'pull_request'",
  ]);
});

test("npm would leave no template out of a package, nor take one for settings of its own", () => {
  const names = Object.keys(filesBelow(join(repository, "templates/project")));
  expect(names.length).toBeGreaterThan(15);
  expect(names.filter((name) => !/^(?:[A-Za-z][\w.-]*\/)*[A-Za-z][\w.-]*\.hbs$/.test(name))).toEqual([]);
});

test("what the README of an app names is there, upgrading too, with a blank line between parts", () => {
  for (const example of ["blank", "bookshop", "saas", null] as const) {
    const { tour } = projectView("my-app", example, "docs/");
    const readme = loadTemplate("project/README.md")({ ...projectView("my-app", example, "docs/"), tour });
    const docs = [...readme.matchAll(/\]\((docs\/[a-z/-]+\.md)\)/g)].map(([, path = ""]) => path);
    expect(docs.length).toBeGreaterThan(5);
    expect(docs).toContain("docs/upgrading.md");
    expect(readme).not.toContain("\n\n\n");
    for (const path of docs) expect(() => own(path), path).not.toThrow();
  }
});
