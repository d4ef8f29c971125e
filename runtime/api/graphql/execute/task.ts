/** A root field that has passed all that needs no statement to be refused. */
export interface Task<Where> {
  /** Its key in the answer. */
  readonly key: string;
  /** Does what takes long and needs no statement, before the first one runs. */
  readonly prepare?: () => Promise<void>;
  /** Runs it and gives its value as JSON text. */
  readonly run: (where: Where) => Promise<string>;
}
