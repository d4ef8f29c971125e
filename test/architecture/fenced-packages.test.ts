import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { filesIn, textOf } from "./import-graph.ts";

const sources = ["cli", "generator", "runtime", "vocabulary", "scripts"].flatMap(filesIn);

/** The files that name a module in an import, or that look it up. */
function importersOf(name: string): string[] {
  return sources.filter((path) => new RegExp(`["'(]${name}["')]`).test(textOf(path)));
}

test.each([
  ["typescript/unstable/sync", ["generator/typescript/compiler.ts"]],
  ["typescript/unstable/ast", []],
  ["speakeasy", ["runtime/modules/auth/mfa/totp.ts"]],
])("%s is imported by %j only", (name, files) => {
  expect(importersOf(name)).toEqual(files);
});

test("speakeasy, which is no longer maintained, has an exact version", () => {
  const stated = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  expect(stated.dependencies.speakeasy).toBe("2.0.0");
});
