/** Rows and records for the cells of `kirak check-access`. */
export { sampleValue, uuidOf } from "./candidate-values.ts";
export { makeWitnesses } from "./make-witnesses.ts";
export * from "./witness.ts";
