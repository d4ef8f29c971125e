export { readArrays } from "./arrays.ts";
export { readDependents } from "./dependents.ts";
export { readCatalog } from "./read-catalog.ts";
export { readValues } from "./value-counts.ts";
