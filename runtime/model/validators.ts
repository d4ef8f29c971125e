/** A JSON Schema of a record: which fields must be there and what each may hold. */
export interface RecordSchema {
  readonly required?: readonly string[];
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
