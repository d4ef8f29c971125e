/** `context.kysely`. Only apps with `typescript.kysely` load it, with the package `kysely`. */
export { type BoundJson, makeKysely } from "./make-kysely.ts";
