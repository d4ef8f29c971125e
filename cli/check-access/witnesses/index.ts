/** Rows and records for the cells of `kirak check-access`. */
export { makeRecords, makeWitnesses, witnessWorld } from "./make-witnesses.ts";
export type * from "./witness.ts";
