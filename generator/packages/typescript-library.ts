import { createRequire } from "node:module";
import type { ts as Compiler } from "ts-morph";
import { developmentFile } from "./development-package.ts";

let loaded: typeof Compiler | null = null;

/** TypeScript's API as ts-morph has it. Loaded lazily: it takes 0.4 s, and an app without code does not need it. */
export function typescriptLibrary(): typeof Compiler {
  if (loaded !== null) return loaded;
  const path = developmentFile("ts-morph", "dist/ts-morph.js");
  const { ts }: typeof import("ts-morph") = createRequire(path)(path);
  loaded = ts;
  return ts;
}
