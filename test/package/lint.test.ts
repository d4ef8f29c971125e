import { readFileSync } from "node:fs";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { expect, test } from "vitest";
import { tarball } from "./support/tarball.ts";

const { path, content } = await tarball();

/** Some small exports represent all, which are built alike: a large one takes seconds. */
const entrypoints = ["./access", "./migrations", "./model", "./package.json", "./users"];

test("publint finds nothing", async () => {
  const manifest = JSON.parse(readFileSync(`${content}/package.json`, "utf8"));
  const { messages } = await publint({ pkgDir: content, pack: false, strict: true });
  expect(messages.map((message) => formatMessage(message, manifest))).toEqual([]);
});

test("its types are those of what is imported", async () => {
  const data = createPackageFromTarballData(new Uint8Array(readFileSync(path)));
  const result = await checkPackage(data, { entrypoints });
  if (result.types === false) throw new Error("there are no types");
  // A package with only ES modules does not resolve for node10 and `require`.
  const problems = result.problems.filter(
    (problem) => !("resolutionKind" in problem) || !["node10", "node16-cjs"].includes(problem.resolutionKind),
  );
  expect(problems).toEqual([]);
});
