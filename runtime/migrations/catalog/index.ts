export { readDependents } from "./dependents.ts";
export { type RenamedValue, readFoundObjects } from "./found-objects.ts";
export { readFilledColumns, readGuards } from "./guards.ts";
export { readCatalog } from "./read-catalog.ts";
export { readArrays, readLargeIds, readValues } from "./table-values.ts";
