import type { AccountFeature } from "../account-features.ts";
import type { Json } from "../json.ts";

/** A JSON Schema of one value. */
type ValueSchema = { readonly [keyword: string]: Json };

/** One key of a body: its JSON Schema, and the type of valid values. */
export interface Key<Value, Required extends boolean> {
  /** What the service checks. */
  readonly schema: ValueSchema;
  /** What the API document says instead, where the service itself accepts more. */
  readonly documented?: ValueSchema;
  readonly required: Required;
  /** Without it the key is unknown. */
  readonly needs?: AccountFeature;
  /** Whether the refresh cookie can replace the key. */
  readonly orRefreshCookie?: true;
  /** The form to which the service converts a valid value. */
  readonly canonical?: "email" | "phone" | "line";
  /** Never set: it carries the type. */
  readonly value?: Value;
}

export type KeysByName = Readonly<Record<string, Key<unknown, boolean>>>;

/** The keys of a body. */
export interface BodyKeys<K extends KeysByName = KeysByName> {
  readonly keys: K;
  /** Whether the service ignores other keys instead of refusing them. */
  readonly ignoresOthers?: true;
  /** Whether the route refuses a body without exactly one of the keys. */
  readonly needsOne?: true;
  /**
   * The columns that the app adds to `users`, which the body also takes: those that its owner can write, or
   * all.
   */
  readonly takesColumns?: "owner" | "all";
  /** Whether a body without any key is refused. */
  readonly needsSome?: true;
}

type ValueOf<K> = K extends Key<infer Value, boolean> ? Value : never;

type CheckedKeys<K extends KeysByName> = {
  readonly [Name in keyof K as K[Name]["required"] extends true ? Name : never]: ValueOf<K[Name]>;
} & {
  readonly [Name in keyof K as K[Name]["required"] extends true ? never : Name]?:
    | ValueOf<K[Name]>
    | undefined;
};

/** A checked body. */
export type BodyOf<Body extends BodyKeys> = CheckedKeys<Body["keys"]>;

/** A body with these keys and no others. */
export function body<K extends KeysByName>(keys: K): BodyKeys<K> {
  return { keys };
}

/** A body with one of these keys. The route itself refuses another number of them. */
export function oneKeyOf<K extends KeysByName>(keys: K): BodyKeys<K> {
  return { keys, needsOne: true };
}

/** A body with these keys, and the columns of `users` that the owner of the account can write. */
export function columnsBody<K extends KeysByName>(keys: K): BodyKeys<K> {
  return { keys, takesColumns: "owner" };
}

/** A body with these keys, and all columns that the app adds to `users`. */
export function allColumnsBody<K extends KeysByName>(keys: K): BodyKeys<K> {
  return { keys, takesColumns: "all" };
}

/** A body with at least one of its keys. */
export function changesBody<K extends KeysByName>(whole: BodyKeys<K>): BodyKeys<K> {
  return { ...whole, needsSome: true };
}

/** A body with these keys. Others are ignored, because sign-in SDKs send their own. */
export function openBody<K extends KeysByName>(keys: K): BodyKeys<K> {
  return { keys, ignoresOthers: true };
}

/** The body of a route in a service with these features. */
export function servedBody(body: BodyKeys, features: ReadonlySet<AccountFeature>): BodyKeys {
  const entries = Object.entries(body.keys);
  const served = entries.filter(([, { needs }]) => needs === undefined || features.has(needs));
  return { ...body, keys: Object.fromEntries(served) };
}

/** A text of at least one character. */
export function text(maxLength: number): Key<string, true> {
  return { schema: { type: "string", minLength: 1, maxLength }, required: true };
}

/** A text of at least one character, without control characters. */
export function label(maxLength: number): Key<string, true> {
  const schema = { type: "string", minLength: 1, maxLength, pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]*$" };
  return { schema, required: true };
}

/** An object of a browser, which the route checks. */
export const anyObject: Key<object, true> = { schema: { type: "object" }, required: true };

/** A text of any length that fits in a body, for values with their own rules. */
export const anyText: Key<string, true> = { schema: { type: "string" }, required: true };

/** A text that can be null or empty. */
export function nullableText(maxLength: number): Key<string | null, true> {
  return { schema: { type: ["string", "null"], maxLength }, required: true };
}

/** An e-mail address. Routes get its canonical form. */
export const emailAddress: Key<string, true> = { ...text(1000), canonical: "email" };

/** A phone number. Routes get it in E.164. */
export const phoneNumber: Key<string, true> = { ...text(100), canonical: "phone" };

/** A text that can be null or empty, without control characters and line breaks. */
export function nullableLine(maxLength: number): Key<string | null, true> {
  return { ...nullableText(maxLength), canonical: "line" };
}

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
export const ignored: Key<unknown, false> = {
  schema: {},
  documented: { description: "Has no effect." },
  required: false,
};

/** A text that the route validates itself, because its error is not `VALIDATION_ERROR`. */
export const unchecked: Key<unknown, true> = { schema: {}, documented: { type: "string" }, required: true };

/** The same, and null is as if it were missing. */
export const uncheckedOrNull: Key<unknown, false> = {
  schema: {},
  documented: { type: ["string", "null"] },
  required: false,
};

/** True or false. */
export const flag: Key<boolean, true> = { schema: { type: "boolean" }, required: true };

/** Whether the tokens of a session are only in cookies. */
export const cookieOnly: Key<boolean, false> = ofFeature("refreshCookie", {
  ...optional(flag),
  documented: {
    type: "boolean",
    description: "Leaves `accessToken` and `refreshToken` out of the answer: only the cookies have them.",
  },
});

/** A refresh token. The service takes it from its cookie if the body has none. */
export function orRefreshCookie(key: Key<string, true>): Key<string, true> {
  return { ...key, orRefreshCookie: true };
}

/** A key that exists only with a feature. */
export function ofFeature<Value, Required extends boolean>(
  needs: AccountFeature,
  key: Key<Value, Required>,
): Key<Value, Required> {
  return { ...key, needs };
}

/** An optional key. */
export function optional<Value>(key: Key<Value, true>): Key<Value, false> {
  return { ...key, required: false };
}
