import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { InitExample } from "#cli/init/init-flags";
import { projectView } from "#cli/init/project-files";
import type { TestReply, TestService } from "#runtime/testing/index";
import { repository } from "../generator/support/project.ts";
import type { Sent } from "./request.ts";

/** Each curl command of a page of the docs that is followed by its answer. */
export function curlExamples(docs: string): { readonly command: string; readonly answer: string }[] {
  const pairs = docs.matchAll(/```sh\n(?:[^`]+\n)?(curl [^`]+)```\n\n```json\n([^`]+)```/g);
  return [...pairs].map(([, command = "", answer = ""]) => ({ command, answer }));
}

/** The request that a curl command of the docs sends to `localhost:3000`. */
export function curlRequest(command: string): Sent {
  const line = command.replaceAll("\\\n", " ");
  const path = /http:\/\/localhost:3000([^'\s]*)/.exec(line)?.[1] ?? "";
  const [, quote, text] = / -d (['"])(.*)\1\s*$/.exec(line) ?? [];
  const body = quote === '"' ? text?.replaceAll('\\"', '"') : text;
  const headers = [...line.matchAll(/ -H (['"])([\w-]+): (.*?)\1/g)].map(([, , name, value]) => [
    name,
    value,
  ]);
  const method = /-X (\w+)/.exec(line)?.[1] ?? (body === undefined ? "GET" : "POST");
  return { method, path, headers: Object.fromEntries(headers), body };
}

/** README and the pages of `docs/`: texts by path. */
export const pages: ReadonlyMap<string, string> = new Map(
  ["README.md", ...pagesIn("docs")].map((page) => [page, readFileSync(join(repository, page), "utf8")]),
);

/** Next to them are files to copy. */
function pagesIn(folder: string): string[] {
  const names = readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" });
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

/** The folders of the book shop example. A new app starts without them. */
export const exampleFolders: readonly string[] = ["models", "generated", "benchmark"];

/** The curl commands of the README that an app of an example gets, in order. */
export function tourCommands(example: InitExample): string[] {
  const { tour } = projectView("my-app", example);
  return [...tour.matchAll(/^curl (?:.*\\\n)*.*/gm)].map(([command]) => command);
}

/** Sends what a command of a tour sends, with a token in place of `$TOKEN`. */
export function sendCurl(app: TestService, command: string, token: string): Promise<TestReply<unknown>> {
  const { method, path, headers, body } = curlRequest(command.replaceAll("$TOKEN", token));
  return app.request(path, {
    method: method ?? "GET",
    headers: Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)])),
    body,
  });
}
