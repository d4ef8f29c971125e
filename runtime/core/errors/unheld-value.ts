import { ServiceError } from "./service-error.ts";

/** Where a stored value was read, as far as that is known. */
export interface ValuePlace {
  readonly model?: string;
  readonly field?: string;
  readonly id?: string | null;
}

/**
 * 500 `DATABASE_ERROR` for a stored value that the API has no form for, such as infinity (docs/api.md#values-out-of-range). The log
 * says where it is.
 */
export class UnheldValue extends ServiceError {
  readonly text: string;

  constructor(text: string, { model, field, id = null }: ValuePlace = {}) {
    const column = [model, field].filter((part) => part !== undefined).join(".");
    const row = id === null ? "" : ` of the row with the id ${id}`;
    const place = column === "" ? "a column" : `${column}${row}`;
    const cause = new Error(`${place} holds ${text}, which the API cannot answer`);
    super("DATABASE_ERROR", undefined, undefined, { cause });
    this.text = text;
  }
}
