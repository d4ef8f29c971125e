import { userFields } from "../../../vocabulary/accounts/user-fields.ts";
import {
  type DocumentSchema,
  type Entries,
  type Part,
  reference,
} from "../../../vocabulary/openapi/document.ts";
import { valueSchema } from "./field-schemas.ts";
import { list } from "./operation.ts";
import { answer, whole } from "./shared-components.ts";

export const rowId: Part = { type: "integer", format: "int64" };
export const plainText: Part = { type: "string" };
const moment = valueSchema({ kind: "datetime" }, "answer");

const columns = { ...userFields, created_at: { kind: "datetime" } } as const;

/** A user as an answer shows it, with these columns. */
export function userSchema(...names: readonly (keyof typeof columns)[]): Part {
  const shown = names.map((name) => [name, valueSchema({ ...columns[name] }, "answer")] as const);
  return answer({ user_id: rowId, ...Object.fromEntries(shown) });
}

/** The user of `GET /auth/account`, with columns of the app. */
export function ownUser(added: Part, optional: readonly string[]): Part {
  const builtIn = userSchema(...usual, "is_verified", "is_active", "phone_number")["properties"];
  return answer({ ...added, ...Object(builtIn) }, optional);
}

const usual = ["email", "first_name", "last_name", "role", "created_at", "last_login_at"] as const;

const tokens: Part = {
  accessToken: plainText,
  refreshToken: plainText,
  expiresIn: { type: "integer", description: "Lifetime of the access token in seconds." },
};

const apiKey: Part = {
  id: rowId,
  name: { type: ["string", "null"] },
  key_prefix: plainText,
  expires_at: moment,
  created_at: moment,
};

/** Schemas of the answers of account routes. An app adds properties to `OwnUser`. */
export const accountSchemas = {
  User: userSchema(...usual, "phone_number", "is_verified"),
  OtpUser: userSchema(...usual, "phone_number", "is_active"),
  CurrentUser: userSchema(...usual, "is_verified", "is_active"),
  OwnUser: ownUser({}, []),
  Tokens: answer(tokens),
  ApiKey: answer({ ...apiKey, last_used_at: { type: ["string", "null"], format: "date-time" } }),
} satisfies Entries<DocumentSchema>;

/** The same for a service with a refresh cookie: `cookie_only` leaves the tokens out. */
export const cookieSchemas = {
  ...accountSchemas,
  Tokens: answer(tokens, ["accessToken", "refreshToken"]),
} satisfies Entries<DocumentSchema>;

/** A new API key, and the key itself. */
export const newApiKey: Part = answer({ ...apiKey, api_key: plainText });

/** A registration. It has tokens if users can sign in without a verified address. */
export const registration: Part = answer(
  { user: reference("schemas", "User"), verification_email_sent: { type: "boolean" }, ...tokens },
  Object.keys(tokens),
);

const sessionColumns = {
  id: { type: "string", format: "uuid" },
  current: { type: "boolean" },
  created_at: moment,
  last_used_at: moment,
  expires_at: moment,
  signed_in_with: list(plainText),
  user_agent: { type: ["string", "null"] },
  address: { type: ["string", "null"] },
} as const satisfies Part;

/** A session of the signed-in user. */
export const session: Part = answer(sessionColumns);

/** A provider that is linked to the signed-in user. */
export const linkedProvider: Part = answer({
  provider: plainText,
  title: plainText,
  email: { type: ["string", "null"] },
  linked_at: moment,
  last_used_at: { type: ["string", "null"], format: "date-time" },
});

/** A provider was linked. */
export const madeLink: Part = answer({ provider: plainText, linked: { const: true } });

/** A passkey of the signed-in user. */
export const passkey: Part = answer({
  id: rowId,
  name: plainText,
  device_type: { enum: ["singleDevice", "multiDevice"] },
  backed_up: { type: "boolean" },
  transports: list(plainText),
  aaguid: { type: "string", format: "uuid" },
  created_at: moment,
  last_used_at: { type: ["string", "null"], format: "date-time" },
});

const { current: _, ...stored } = sessionColumns;

/** The export of an account. */
export const exported: Part = answer({
  exported_at: moment,
  account: answer({
    user: reference("schemas", "OwnUser"),
    sessions: list(answer(stored)),
    providers: list(linkedProvider),
    passkeys: list(passkey),
    api_keys: list(reference("schemas", "ApiKey")),
  }),
  models: { type: "object", additionalProperties: list({ type: "object" }) },
  truncated: list(plainText),
});

/** Options for the browser, in the JSON of WebAuthn. */
export const passkeyOptions: Part = answer({ options: { type: "object", additionalProperties: true } });

const waiting = (target: string): Part => ({
  anyOf: [answer({ [target]: plainText, expires_at: moment }), { type: "null" }],
});
const flag: Part = { type: "boolean" };

/** The account of the signed-in user. */
export const ownAccount: Part = answer({
  user: reference("schemas", "OwnUser"),
  sign_in: answer({
    password: flag,
    phone: flag,
    email_code: flag,
    mfa: flag,
    passkeys: whole,
    providers: list(plainText),
  }),
  pending: answer({ email: waiting("new_email"), phone: waiting("phone_number") }),
  recent_until: { type: ["string", "null"], format: "date-time" },
});

/** A new session of a user. */
export function sessionOf(user: "User" | "OtpUser"): Part {
  return withTokens({ user: reference("schemas", user) });
}

/** Tokens, and more. */
export function withTokens(properties: Part, optional: readonly string[] = []): Part {
  return { allOf: [reference("schemas", "Tokens")], ...answer(properties, optional) };
}
