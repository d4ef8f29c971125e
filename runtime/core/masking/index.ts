export { mask, maskLine } from "./mask.ts";
