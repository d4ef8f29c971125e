export type * from "./catalog.ts";
export { type CatalogDependent, readDependents } from "./dependents.ts";
export { readCatalog } from "./read-catalog.ts";
