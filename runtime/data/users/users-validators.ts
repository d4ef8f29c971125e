import { userFields } from "../../../vocabulary/accounts/user-fields.ts";
import { fieldKinds } from "../../../vocabulary/fields/field-kinds.ts";
import { fieldSchema } from "../../../vocabulary/fields/field-schema.ts";
import { defineValidators, type RecordSchema, type Validators } from "../../models/index.ts";

const builtIn = Object.fromEntries(
  Object.entries(userFields).map(([name, field]) => [name, fieldSchema(field)]),
);

/** Declares the JSON Schemas of the columns that an app adds to the accounts. */
export function extendUsersValidators({ required = [], properties: own }: RecordSchema): Validators {
  const properties = { ...builtIn, ...own };
  return defineValidators({
    create: { required, properties },
    update: { properties },
    upsert: { required, properties: { id: fieldKinds.bigint.schema, ...properties } },
  });
}
