import type { FieldKind } from "../fields/field-kinds.ts";
import type { Json } from "../json.ts";

interface UserField {
  readonly kind: FieldKind;
  readonly nullable?: true;
  readonly default?: Json;
  readonly unique?: true;
  readonly description?: string;
}

/** The built-in fields of `users`, in column order. An app can add more. */
export const userFields = {
  email: {
    kind: "email",
    nullable: true,
    unique: true,
    description: "In its canonical form; null if the account was created by phone.",
  },
  password: { kind: "password", nullable: true, description: "Null if the account has no password." },
  role: { kind: "string", default: "user" },
  first_name: { kind: "string", nullable: true },
  last_name: { kind: "string", nullable: true },
  phone_number: { kind: "string", nullable: true, unique: true, description: "In E.164." },
  is_verified: {
    kind: "boolean",
    default: false,
    description: "Whether the e-mail address is confirmed.",
  },
  is_active: { kind: "boolean", default: true },
  last_login_at: { kind: "datetime", nullable: true },
  credentials_changed_at: {
    kind: "datetime",
    nullable: true,
    description:
      "When the password was last changed, or all sessions were ended. Older tokens are not valid.",
  },
} as const satisfies Readonly<Record<string, UserField>>;

export type UserFieldName = keyof typeof userFields;

/** Fields that a registration or its hook can set. Only the service sets the others. */
const registered: readonly UserFieldName[] = ["email", "password", "phone_number", "first_name", "last_name"];

const names: ReadonlySet<string> = new Set(Object.keys(userFields));

export function isUserField(name: string): name is UserFieldName {
  return names.has(name);
}

/** Whether only the service sets a field. */
export function isSetByService(name: string): boolean {
  return isUserField(name) && !registered.includes(name);
}
