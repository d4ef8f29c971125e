import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../generator/support/project.ts";

/** README and the pages of `docs/`: texts by path. */
export const pages: ReadonlyMap<string, string> = new Map(
  ["README.md", ...pagesIn("docs")].map((page) => [page, readFileSync(join(repository, page), "utf8")]),
);

/** Beside them are files to be copied, in folders. */
function pagesIn(folder: string): string[] {
  const names = readdirSync(join(repository, folder));
  return names.filter((name) => name.endsWith(".md")).map((name) => `${folder}/${name}`);
}

/**
 * Paths below some folders of the repository that texts name and that are not there, as `text: path`. What stands for a name
 * (`<key>`, `*`, `{a,b}`, `…`) is there where its folder is; `elsewhere` are those of other projects.
 */
export function missingPaths(
  texts: ReadonlyMap<string, string>,
  folders: readonly string[],
  elsewhere: readonly string[] = [],
): string[] {
  const path = new RegExp(`(?<![\\w./-])(?:\\.\\./)*((?:${folders.join("|")})/[\\w./<*{…-]*)`, "g");
  return [...texts].flatMap(([name, text]) =>
    [...text.matchAll(path)]
      .map(([, found = ""]) => found.replace(/\.+$/, ""))
      .filter((found) => !elsewhere.some((start) => found.startsWith(start)))
      .filter((found) => !existsSync(join(repository, found.split(/[^/]*[<*{…]/)[0] ?? "")))
      .map((found) => `${name}: ${found}`),
  );
}
