/** `kirak/kysely`, for the generated code of apps with `typescript.kysely`. */
export { type BoundJson, makeKysely } from "../data/kysely/index.ts";
export type { Json } from "../models/index.ts";
