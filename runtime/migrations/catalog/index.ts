export { readDependents } from "./dependents.ts";
export { readCatalog } from "./read-catalog.ts";
export { readArrays, readValues } from "./table-values.ts";
