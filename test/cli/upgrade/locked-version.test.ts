import { expect, test } from "vitest";
import { lockedVersion } from "#cli/upgrade/locked-version";

const npm = (packages: object) => JSON.stringify({ lockfileVersion: 3, packages });
const app = (dependencies: object, more: object = {}) => JSON.stringify({ dependencies, ...more });

test.each([
  ["package-lock.json", npm({ "": {}, "node_modules/kirak": { version: "0.1.4" } }), "0.1.4"],
  ["package-lock.json", npm({ "apps/shop/node_modules/kirak": { version: "0.1.5" } }), "0.1.5"],
  ["package-lock.json", JSON.stringify({ dependencies: { kirak: { version: "1.0.0-rc.1" } } }), "1.0.0-rc.1"],
  ["package-lock.json", npm({ "node_modules/kirak-theme": { version: "3.0.0" } }), null],
  ["package-lock.json", npm({ "node_modules/kirak": { link: true, resolved: "../kirak" } }), null],
  ["package-lock.json", "<<<<<<< ours", null],
  ["npm-shrinkwrap.json", npm({ "node_modules/kirak": { version: "0.1.4" } }), "0.1.4"],
  ["package.json", app({ kirak: "^0.1.2" }), "0.1.2"],
  ["package.json", app({ kirak: ">=0.2.0 <1" }), "0.2.0"],
  ["package.json", app({ kirak: "npm:kirak@~0.3.0" }), "0.3.0"],
  ["package.json", app({}, { devDependencies: { kirak: "0.1.2" } }), "0.1.2"],
  ["package.json", app({ kirak: "latest" }), null],
  ["package.json", app({ kirak: "file:../kirak-0.1.0.tgz" }), null],
  ["package.json", app({ kirak: "git+https://example.org/kirak.git#v0.1.0" }), null],
  ["package.json", app({}, { name: "kirak", version: "0.4.0" }), "0.4.0"],
  ["package.json", app({}, { name: "shop", version: "7.0.0" }), null],
  ["package.json", "null", null],
  [
    "pnpm-lock.yaml",
    "importers:\n  .:\n    dependencies:\n      kirak:\n        specifier: ^0.1.0\n        version: 0.1.6(typescript@7.0.2)\n",
    "0.1.6",
  ],
  ["pnpm-lock.yaml", "importers:\n  .:\n    dependencies:\n      express:\n        version: 5.0.0\n", null],
  ["yarn.lock", 'express@^5.0.0:\n  version "5.0.0"\n\nkirak@^0.1.0:\n  version "0.1.7"\n', "0.1.7"],
  ["yarn.lock", '"kirak@npm:^0.1.0":\n  version: 0.1.8\n  resolution: "kirak@npm:0.1.8"\n', "0.1.8"],
  ["yarn.lock", 'kirak-theme@^0.1.0:\n  version "0.1.7"\n', null],
] as const)("%s that says %j: %s", (file, text, version) => {
  expect(lockedVersion(file, text)).toBe(version);
});
