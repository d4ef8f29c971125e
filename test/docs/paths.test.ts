import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, sep } from "node:path";
import { expect, test } from "vitest";
import { repository } from "../generator/support/project.ts";
import { exampleFolders, missingPaths, pages } from "../support/docs.ts";

// Where README, docs and comments send a reader, there is something. Those of the example are looked at beside it.
const folders = [
  ...["vocabulary", "generator", "runtime", "cli", "schemas", "templates", "scripts", "test", "docs"],
];

test("paths that README and docs name are there", () => {
  // What embedding.md and testing.md have a reader write, and what `kirak init` makes.
  const ofReaders = ["scripts/own.ts", "test/service.test.ts", "test/books.test.ts", "test/parcels.test.ts"];
  expect(missingPaths(pages, folders, ofReaders)).toEqual([]);
});

test("files that docs/architecture.md names by their rooms are there", () => {
  const named = [...(pages.get("docs/architecture.md") ?? "").matchAll(/`([a-z-]+\/[\w/.-]*\.ts)`/g)];
  const places = (path: string) => ["", "runtime", "generator"].map((top) => join(repository, top, path));
  const missing = named.map(([, path = ""]) => path).filter((path) => !places(path).some(existsSync));
  expect(missing).toEqual([]);
  expect(named.length).toBeGreaterThan(10);
});

test("paths that comments name are there", () => {
  const comment = /(?:^\s*(?:\/\*\*?|\*)|(?<=^|\s)\/\/) .*$/gm;
  const sources = folders
    .flatMap((folder) =>
      readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" }).map((name) =>
        join(folder, name).split(sep).join("/"),
      ),
    )
    .filter((path) => /\.[tj]s$/.test(path) && !path.startsWith("test/generator/golden/"));
  const comments = sources.map((path): [string, string] => {
    const found = readFileSync(join(repository, path), "utf8").match(comment) ?? [];
    return [path, found.join("\n")];
  });
  expect(missingPaths(new Map(comments), folders)).toEqual([]);
  expect(comments.filter(([, text]) => /\btest\/\w/.test(text)).length).toBeGreaterThan(0);
});

/** The pages, and those of the example apps. */
const linked = new Map(pages);
for (const page of ["examples/README.md", "examples/clinic/README.md", "examples/tracker/README.md"])
  linked.set(page, readFileSync(join(repository, page), "utf8"));

test("relative links lead to files", () => {
  const broken = [...linked].flatMap(([page, text]) =>
    [...text.matchAll(/\]\((?!https?:)([^)#\s]+)/g)]
      .map(([, link = ""]) => normalize(join(dirname(page), link)))
      .filter((target) => !exampleFolders.includes(target.split(sep)[0] ?? ""))
      .filter((target) => !existsSync(join(repository, target)))
      .map((target) => `${page}: ${target}`),
  );
  expect(broken).toEqual([]);
});

test("links between headings lead somewhere", () => {
  const anchors = new Map([...linked].map(([page, text]) => [page, anchorsOf(text)]));
  const broken = [...linked].flatMap(([page, text]) =>
    [...text.matchAll(/\]\(([\w./-]*(?:\.md)?)#([\w-]+)\)/g)]
      .filter(([, path, anchor]) => {
        const target = path === "" ? page : join(page, "..", path ?? "");
        return anchors.get(target)?.has(anchor ?? "") !== true;
      })
      .map(([link]) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

/** The anchors that GitHub makes of headings. */
function anchorsOf(markdown: string): ReadonlySet<string> {
  const headings = [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading ?? "");
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\w\s-]/g, "")
        .trim()
        .replaceAll(" ", "-"),
    ),
  );
}
