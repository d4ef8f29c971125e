import { createRequire } from "node:module";
import type { RE2JS } from "re2js";

const require = createRequire(import.meta.url);
/** Loaded with the first expression: 260 kB, of which a service without one has no need. */
const loadEngine = (): typeof import("re2js") => require("re2js");

/** A regular expression in RE2 syntax. */
export type LinearRegExp = RE2JS;

/**
 * Expressions come from models and manifests, texts from strangers: RE2 matches in linear time whatever either is. Throws on what is
 * no expression in its syntax.
 */
export function linearRegExp(expression: string): LinearRegExp {
  return loadEngine().RE2JS.compile(expression);
}
