import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, sep } from "node:path";
import { expect, test } from "vitest";
import { repository } from "../generator/support/project.ts";
import { exampleFolders, missingPaths, pages } from "../support/docs.ts";

// Paths in README, docs and comments exist. Those of the example are resolved in its folder.
const folders = [
  ...["vocabulary", "generator", "runtime", "cli", "schemas", "templates", "scripts", "test", "docs"],
];

test("paths that README and docs name are there", () => {
  // Files that embedding.md and testing.md tell a reader to write, and the output of `kirak init`.
  const ofReaders = [
    "scripts/own.ts",
    "test/access.test.ts",
    "test/service.test.ts",
    "test/books.test.ts",
    "test/parcels.test.ts",
  ];
  expect(missingPaths(pages, folders, ofReaders)).toEqual([]);
});

test("files that docs/architecture.md names by their layer or module exist", () => {
  const named = [...(pages.get("docs/architecture.md") ?? "").matchAll(/`([a-z-]+\/[\w/.-]*\.ts)`/g)];
  const places = (path: string) =>
    ["", "runtime", "generator", "runtime/core", "runtime/modules"].map((top) => join(repository, top, path));
  const missing = named.map(([, path = ""]) => path).filter((path) => !places(path).some(existsSync));
  expect(missing).toEqual([]);
  expect(named.length).toBeGreaterThan(10);
});

/** The comments of each source file. */
function commentsOfSources(): ReadonlyMap<string, string> {
  const comment = /(?:^\s*(?:\/\*\*?|\*)|(?<=^|\s)\/\/) .*$/gm;
  const sources = folders
    .flatMap((folder) =>
      readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" }).map((name) =>
        join(folder, name).split(sep).join("/"),
      ),
    )
    .filter((path) => /\.[tj]s$/.test(path) && !path.startsWith("test/generator/golden/"));
  return new Map(
    sources.map((path) => [
      path,
      (readFileSync(join(repository, path), "utf8").match(comment) ?? []).join("\n"),
    ]),
  );
}

const comments = commentsOfSources();

test("paths that comments name exist", () => {
  expect(missingPaths(comments, folders)).toEqual([]);
  expect([...comments.values()].filter((text) => /\btest\/\w/.test(text)).length).toBeGreaterThan(0);
});

test("headings that comments name exist", () => {
  const named = [...comments].flatMap(([path, text]) =>
    [...text.matchAll(/docs\/([a-z0-9-]+\.md)#([\w-]+)/g)].map(([reference, page = "", anchor = ""]) => ({
      path,
      reference,
      page,
      anchor,
    })),
  );
  const broken = named.filter(({ page, anchor }) => !anchorsOf(pages.get(`docs/${page}`) ?? "").has(anchor));
  expect(broken.map(({ path, reference }) => `${path}: ${reference}`)).toEqual([]);
  expect(named.length).toBeGreaterThan(20);
});

test("comments cite no document that is not in the repository", () => {
  const cited = [...comments].filter(([, text]) =>
    /\((?:the )?(?:contract|decisions?)\b|\bdecisions, part|\bpart \d+ of the/i.test(text),
  );
  expect(cited.map(([path]) => path)).toEqual([]);
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
