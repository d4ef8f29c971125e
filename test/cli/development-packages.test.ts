import { expect, test } from "vitest";
import { isIn, missingPackages } from "#cli/development-packages";
import { folderWith } from "./support/folder-with.ts";

const app = folderWith({
  "package.json": {},
  "node_modules/formatter/package.json": { version: "2.4.0" },
  "node_modules/compiler/package.json": { version: "7.0.3" },
});

test("this repository has all that the generator needs, of the versions that it states", () => {
  expect(missingPackages("generate", ["typescript", "ts-morph", "@biomejs/biome"], app)).toBeNull();
});

test("one that is not installed, or of another version, is named with the line that installs it", () => {
  // Whatever it is called: none of these is beside this package.
  const names = JSON.parse('["compiler", "formatter", "reader"]');
  const peers = { compiler: "~7.0.2", formatter: "~2.5.15", reader: "^28.0.0" };
  expect(missingPackages("generate", names, app, peers)).toEqual({
    message:
      "kirak generate needs formatter ~2.5.15, which is here in version 2.4.0\n" +
      "kirak generate needs reader ^28.0.0, which is not installed here",
    fix: "to go on: npm install --save-dev formatter@~2.5.15 reader@^28.0.0",
  });
});

test("where package.json has them already, installing is all that is left to do", () => {
  const fresh = folderWith({ "package.json": { devDependencies: { reader: "^28.0.0" } } });
  const names = JSON.parse('["reader"]');
  expect(missingPackages("build", names, fresh, { reader: "^28.0.0" })).toEqual({
    message: "kirak build needs reader ^28.0.0, which is not installed here",
    fix: "to go on: npm install --include=dev",
  });
});

test.each([
  ["7.0.2", "~7.0.2", true],
  ["7.0.10", "~7.0.2", true],
  ["7.0.1", "~7.0.2", false],
  ["7.1.0", "~7.0.2", false],
  ["8.0.2", "~7.0.2", false],
  ["28.3.1", "^28.0.0", true],
  ["28.0.0", "^28.0.0", true],
  ["27.9.9", "^28.0.0", false],
  ["29.0.0", "^28.0.0", false],
  ["0.3.4", "^0.3.2", true],
  ["0.4.0", "^0.3.2", false],
  ["0.0.4", "^0.0.3", false],
  ["18.4.0-beta.17", "^18.4.0-beta.17", true],
  ["5.0.0", ">=4", true],
])("%s is in %s: %s", (version, range, is) => {
  expect(isIn(version, range)).toBe(is);
});
