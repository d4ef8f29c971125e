import type { AccountFeature } from "../../../../vocabulary/account-features.ts";
import { type AccountBody, accountBodies } from "../../../../vocabulary/accounts/account-bodies.ts";
import { type BodyKeys, type KeysByName, servedBody } from "../../../../vocabulary/accounts/body-keys.ts";
import { weakMemo } from "../../../core/concurrency/index.ts";
import { invalid, refuseProblems } from "../../../core/errors/index.ts";
import type { RecordSchema } from "../../../models/index.ts";
import { recordProblems } from "../../../models/validation/index.ts";
import type { AppColumns } from "../users/app-columns.ts";
import { requireEmail, requireLine, requirePhoneNumber } from "../users/contact.ts";

/** The name of a route in `accountBodies`; null for a route without a body. */
export type BodyName = keyof typeof accountBodies | null;

/** The checked body of a route. */
export type CheckedBody<Name extends BodyName> = Name extends keyof typeof accountBodies
  ? AccountBody<Name>
  : null;

/** What a service adds to the bodies of its routes. */
interface BodySettings {
  readonly features: ReadonlySet<AccountFeature>;
  readonly columns: Pick<AppColumns, "all" | "ofOwner">;
}

/** Checks bodies of requests to a route. */
interface BodyReader<Name extends BodyName> {
  /** The key that the refresh cookie can replace, or null. */
  readonly cookieKey: string | null;
  /** Checks a body for a service. Errors: 400 `VALIDATION_ERROR` with `details.field`. */
  readonly read: (body: object | undefined, service: BodySettings) => CheckedBody<Name>;
}

/** The reader of a route's bodies. */
export function bodyReader<Name extends BodyName>(name: Name): BodyReader<Name> {
  if (name === null) return { cookieKey: null, read: () => checked(null) };
  const body: BodyKeys = accountBodies[name];
  const readerFor = weakMemo(({ features, columns }: BodySettings) =>
    readerOf(servedBody(body, features), addedTo(body, columns)),
  );
  const cookieKey = Object.entries(body.keys).find(([, { orRefreshCookie }]) => orRefreshCookie)?.[0] ?? null;
  return { cookieKey, read: (sent, service) => checked(readerFor(service)(sent)) };
}

function addedTo(
  { takesColumns }: BodyKeys,
  { all, ofOwner }: BodySettings["columns"],
): RecordSchema["properties"] {
  if (takesColumns === undefined) return {};
  return takesColumns === "all" ? all : ofOwner;
}

function readerOf(
  { keys, ignoresOthers, needsSome }: BodyKeys,
  columns: RecordSchema["properties"],
): (body: object | undefined) => object {
  const entries = Object.entries(keys);
  const schema: RecordSchema = {
    required: entries.flatMap(([name, { required }]) => (required ? [name] : [])),
    properties: { ...columns, ...Object.fromEntries(entries.map(([name, key]) => [name, key.schema])) },
  };
  return (sent = {}) => {
    const known = ignoresOthers ? onlyKnown(keys, sent) : sent;
    refuseProblems(recordProblems(schema, known, "complete"));
    if (needsSome && Object.keys(known).length === 0)
      throw invalid([
        { field: entries[0]?.[0] ?? "body", message: "is required, unless another field is sent" },
      ]);
    return canonical(keys, known);
  };
}

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
