/** A file of the output before it is formatted. The path is relative to the output folder. */
export interface EmittedFile {
  readonly path: string;
  readonly text: string;
}
