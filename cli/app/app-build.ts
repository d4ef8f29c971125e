import type { Build } from "./build-mark.js";

/** The build of an app: what `tsconfig.build.json` includes, as JavaScript in `dist/`. */
export function appBuild(root: string): Build {
  return { root, folder: "dist", settings: "tsconfig.build.json", source: "generated" };
}
