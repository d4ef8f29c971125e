/** A JSON Schema of a record: which fields must be there and what each may hold. */
export interface RecordSchema {
  readonly required?: readonly string[];
  /** Those of them that a before-hook fills in, so that callers need not send them; without the list any may be missing until it has run. */
  readonly filled?: readonly string[];
  readonly properties: Readonly<Record<string, object>>;
}

/** The JSON Schemas of one model's request bodies. A record never has further properties. */
export interface Validators {
  readonly create: RecordSchema;
  readonly update: RecordSchema;
  readonly upsert: RecordSchema;
}

/** Declares the JSON Schemas of a model. */
export function defineValidators(validators: Validators): Validators {
  return validators;
}
