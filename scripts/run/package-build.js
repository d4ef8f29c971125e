// @ts-check
import { page, root } from "./compiled.js";

/**
 * The build of the package: `lib/`.
 *
 * @type {import("../../cli/app/build-mark.js").Build}
 */
export const packageBuild = {
  root,
  folder: "lib",
  settings: "tsconfig.package.json",
  further: ["schemas", "templates", page],
  source: "runtime",
};
