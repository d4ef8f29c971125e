import { createRequire } from "node:module";
import type { RE2JS } from "re2js";

const require = createRequire(import.meta.url);
/** Loaded on first use: 260 kB. */
const loadEngine = (): typeof import("re2js") => require("re2js");

/** A regular expression in RE2 syntax. */
export type LinearRegExp = RE2JS;

/** Compiles an expression. RE2 matches untrusted text in linear time. Throws if the syntax is invalid. */
export function linearRegExp(expression: string): LinearRegExp {
  return loadEngine().RE2JS.compile(expression);
}
