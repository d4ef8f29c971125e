import { invalid, refuseProblems } from "../../../core/errors/index.ts";
import type { RecordSchema } from "../../../models/index.ts";
import { recordProblems } from "../../../models/validation/index.ts";
import { requireEmail, requirePhoneNumber } from "../users/contact.ts";

/** One key of a body: its JSON Schema, and the type of valid values. */
export interface Key<Value, Required extends boolean> {
  readonly schema: object;
  readonly required: Required;
  /** Converts a valid value to its canonical form. Errors: 400 `VALIDATION_ERROR`. */
  readonly canonical?: (sent: unknown, field: string) => Value;
  /** Never set: it carries the type. */
  readonly value?: Value;
}

type Keys = Readonly<Record<string, Key<unknown, boolean>>>;

type ValueOf<K> = K extends Key<infer Value, boolean> ? Value : never;

/** A checked body. */
export type BodyOf<K extends Keys> = {
  readonly [Name in keyof K as K[Name]["required"] extends true ? Name : never]: ValueOf<K[Name]>;
} & {
  readonly [Name in keyof K as K[Name]["required"] extends true ? never : Name]?:
    | ValueOf<K[Name]>
    | undefined;
};

/** A text of at least one character. */
export function text(maxLength: number): Key<string, true> {
  return { schema: { type: "string", minLength: 1, maxLength }, required: true };
}

/** A text of any length that fits in a body, for values with their own rules. */
export const anyText: Key<string, true> = { schema: { type: "string" }, required: true };

/** A text that can be null or empty. */
export function nullableText(maxLength: number): Key<string | null, true> {
  return { schema: { type: ["string", "null"], maxLength }, required: true };
}

/** An e-mail address. Routes get its canonical form. */
export const emailAddress: Key<string, true> = {
  ...text(1000),
  canonical: (sent, field) => requireEmail(String(sent), field),
};

/** A phone number. Routes get it in E.164. */
export const phoneNumber: Key<string, true> = {
  ...text(100),
  canonical: (sent, field) => requirePhoneNumber(String(sent), field),
};

/** One of some texts. */
export function oneOf<const Values extends readonly string[]>(...values: Values): Key<Values[number], true> {
  return { schema: { type: "string", enum: values }, required: true };
}

/** The id of a row. */
export const id: Key<number, true> = {
  schema: { type: "integer", format: "int64", minimum: 1 },
  required: true,
};

/** A key that is accepted and has no effect. */
export const ignored: Key<unknown, false> = { schema: {}, required: false };

/** A key whose value the route validates itself, because its error is not `VALIDATION_ERROR`. */
export const unchecked: Key<unknown, true> = { schema: {}, required: true };

/** An optional key. */
export function optional<Value>(key: Key<Value, true>): Key<Value, false> {
  return { ...key, required: false };
}

/** Checks the body of a request. Errors: 400 `VALIDATION_ERROR` with `details.field`. */
export type BodyReader<Body> = (body: object | undefined) => Body;

/** The reader of bodies with these keys. It ignores other keys, because sign-in SDKs send their own. */
export function openBody<K extends Keys>(keys: K): BodyReader<BodyOf<K>> {
  const read = body(keys);
  return (sent = {}) =>
    read(Object.fromEntries(Object.entries(sent).filter(([name]) => Object.hasOwn(keys, name))));
}

/** The reader of bodies with these keys and no others. */
export function body<K extends Keys>(keys: K): BodyReader<BodyOf<K>> {
  const entries = Object.entries(keys);
  const schema: RecordSchema = {
    required: entries.flatMap(([name, { required }]) => (required ? [name] : [])),
    properties: Object.fromEntries(entries.map(([name, key]) => [name, key.schema])),
  };
  return (sent = {}) => {
    refuseProblems(recordProblems(schema, sent, "complete"));
    return checked(canonical(keys, sent));
  };
}

function canonical(keys: Keys, sent: object): object {
  const entries = Object.entries(sent);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, keys[name]?.canonical?.(value, name) ?? value]),
  );
}

/** The cast is safe: schema and type come from the same keys. */
function checked<K extends Keys>(sent: object): BodyOf<K> {
  return sent as BodyOf<K>;
}

/** A route without a body. */
export const noBody: BodyReader<null> = () => null;

/** Returns parameters by name. Errors: 400 `VALIDATION_ERROR` for a repeated parameter. */
export function singleValues(parameters: URLSearchParams): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of parameters) {
    if (values.has(name)) throw invalid([{ field: name, message: "is sent more than once" }]);
    values.set(name, value);
  }
  return values;
}
