/** `kirak/kysely`, for the generated code of apps with `typescript.kysely`. */
export type { ColumnType, Generated, GeneratedAlways, Kysely } from "kysely";
export { type BoundJson, makeKysely } from "../data/kysely/index.ts";
export type { Json } from "../models/index.ts";
