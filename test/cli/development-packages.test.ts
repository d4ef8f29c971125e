import { expect, test } from "vitest";
import { missingToolchain } from "#cli/development-packages";
import { folderWith } from "./support/folder-with.ts";

const app = folderWith({
  "package.json": {},
  "node_modules/formatter/package.json": { version: "2.4.0" },
  "node_modules/compiler/package.json": { version: "7.0.3" },
});

test("this repository has all that the generator needs, of the versions that it states", () => {
  expect(missingToolchain("generate", ["typescript", "ts-morph", "@biomejs/biome"], app)).toBeNull();
});

test("one that is not installed, or of another version, is named with the line that installs it", () => {
  // Under any name: none of these is installed next to this package.
  const names = JSON.parse('["compiler", "formatter", "reader"]');
  const peers = { compiler: "~7.0.2", formatter: "~2.5.15", reader: "^28.0.0" };
  expect(missingToolchain("generate", names, app, peers)).toEqual({
    message:
      "kirak generate needs formatter ~2.5.15 (found version 2.4.0)\n" +
      "kirak generate needs reader ^28.0.0 (not installed here)",
    fix: "run npm install --save-dev formatter@~2.5.15 reader@^28.0.0",
  });
});

test("where package.json has them already, installing is all that is left to do", () => {
  const fresh = folderWith({ "package.json": { devDependencies: { reader: "^28.0.0" } } });
  const names = JSON.parse('["reader"]');
  expect(missingToolchain("build", names, fresh, { reader: "^28.0.0" })).toEqual({
    message: "kirak build needs reader ^28.0.0 (not installed here)",
    fix: "run npm install --include=dev",
  });
});
