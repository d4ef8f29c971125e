import { createRequire } from "node:module";
import type { RE2JS } from "re2js";

const require = createRequire(import.meta.url);
/** Loaded for the first expression: 260 kB, which a service without expressions does not need. */
const loadEngine = (): typeof import("re2js") => require("re2js");

/** A regular expression in RE2 syntax. */
export type LinearRegExp = RE2JS;

/**
 * Compiles an expression of a model or manifest. RE2 matches untrusted text in linear time, whatever the
 * expression is. Throws if the syntax is invalid.
 */
export function linearRegExp(expression: string): LinearRegExp {
  return loadEngine().RE2JS.compile(expression);
}
