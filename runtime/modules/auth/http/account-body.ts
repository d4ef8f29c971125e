import { type AccountBody, accountBodies } from "../../../../vocabulary/accounts/account-bodies.ts";
import type { BodyKeys, KeysByName } from "../../../../vocabulary/accounts/body-keys.ts";
import { weakMemo } from "../../../core/concurrency/index.ts";
import { invalid, refuseProblems } from "../../../core/errors/index.ts";
import type { RecordSchema } from "../../../models/index.ts";
import { recordProblems } from "../../../models/validation/index.ts";
import { requireEmail, requireLine, requirePhoneNumber } from "../users/contact.ts";

/** The name of a route in `accountBodies`; null for a route without a body. */
export type BodyName = keyof typeof accountBodies | null;

/** The checked body of a route. */
export type CheckedBody<Name extends BodyName> = Name extends keyof typeof accountBodies
  ? AccountBody<Name>
  : null;

/**
 * Checks the body of a request. `columns` has the schemas of the columns of `users` that the owner of the account can write.
 * Errors: 400 `VALIDATION_ERROR` with `details.field`.
 */
type BodyReader<Name extends BodyName> = (
  body: object | undefined,
  columns: RecordSchema["properties"],
) => CheckedBody<Name>;

/** The reader of a route's bodies. */
export function bodyReader<Name extends BodyName>(name: Name): BodyReader<Name> {
  if (name === null) return () => checked(null);
  const { keys, ignoresOthers, takesColumns, needsSome }: BodyKeys = accountBodies[name];
  const entries = Object.entries(keys);
  const schemaWith = weakMemo(
    (columns: RecordSchema["properties"]): RecordSchema => ({
      required: entries.flatMap(([name, { required }]) => (required ? [name] : [])),
      properties: { ...columns, ...Object.fromEntries(entries.map(([name, key]) => [name, key.schema])) },
    }),
  );
  return (sent = {}, columns) => {
    const known = ignoresOthers ? onlyKnown(keys, sent) : sent;
    refuseProblems(recordProblems(schemaWith(takesColumns ? columns : noColumns), known, "complete"));
    if (needsSome && Object.keys(known).length === 0)
      throw invalid([
        { field: entries[0]?.[0] ?? "body", message: "is required, unless another field is sent" },
      ]);
    return checked(canonical(keys, known));
  };
}

const noColumns = {};

function onlyKnown(keys: KeysByName, sent: object): object {
  return Object.fromEntries(Object.entries(sent).filter(([name]) => Object.hasOwn(keys, name)));
}

/** Convert a valid value. Errors: 400 `VALIDATION_ERROR`. */
const canonicalForms = { email: requireEmail, phone: requirePhoneNumber, line: requireLine };

function canonical(keys: KeysByName, sent: object): object {
  const converted = ([name, value]: [string, unknown]) => {
    const form = keys[name]?.canonical;
    return [name, form === undefined || value === null ? value : canonicalForms[form](String(value), name)];
  };
  return Object.fromEntries(Object.entries(sent).map(converted));
}

/** The cast is safe: schema and type come from the same keys. */
function checked<Name extends BodyName>(sent: object | null): CheckedBody<Name> {
  return sent as CheckedBody<Name>;
}

/** Returns parameters by name. Errors: 400 `VALIDATION_ERROR` for a repeated parameter. */
export function singleValues(parameters: URLSearchParams): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of parameters) {
    if (values.has(name)) throw invalid([{ field: name, message: "is sent more than once" }]);
    values.set(name, value);
  }
  return values;
}
