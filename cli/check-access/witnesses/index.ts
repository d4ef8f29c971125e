/** Rows and records for the cells of `kirak check-access`. */
export { sampleValue, uuidOf } from "./candidate-values.ts";
export { makeRecords, makeWitnesses } from "./make-witnesses.ts";
export type * from "./witness.ts";
export { witnessWorld } from "./witness-world.ts";
