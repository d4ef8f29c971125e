import { checksum } from "./lock-file.ts";

/** A file of the output before it is formatted. The path is relative to the output folder. */
export interface EmittedFile {
  readonly path: string;
  readonly text: string;
}

const sums = new WeakMap<EmittedFile, string>();

/** Checksum of the text of an emitted file: several stages ask for it, and there may be thousands. */
export function emittedSum(file: EmittedFile): string {
  const sum = sums.get(file) ?? checksum(file.text);
  sums.set(file, sum);
  return sum;
}
