import { invalid, ServiceError } from "../../../core/errors/index.ts";
import { longestPassword } from "../../../models/validation/index.ts";

const shortestPassword = 12;

/** The rules for new passwords, and their hash function. */
export interface PasswordRules {
  /** `auth.password_complexity` */
  readonly complexity: boolean;
  readonly hash: (password: string) => Promise<string>;
}

interface Rule {
  readonly name: string;
  /** Ends the sentence "The password …". */
  readonly text: string;
  readonly holds: (password: string) => boolean;
}

const always: readonly Rule[] = [
  {
    name: "min_length",
    text: `must have at least ${shortestPassword} characters`,
    // A character has at most two code units, so the beginning is enough.
    holds: (password) => [...password.slice(0, 2 * shortestPassword)].length >= shortestPassword,
  },
  {
    // bcrypt ignores all bytes after the limit.
    name: "max_bytes",
    text: `must not be longer than ${longestPassword} bytes`,
    holds: (password) => Buffer.byteLength(password) <= longestPassword,
  },
];

const complexity: readonly Rule[] = [
  { name: "uppercase", text: "needs an uppercase letter", holds: (password) => /\p{Lu}/u.test(password) },
  { name: "lowercase", text: "needs a lowercase letter", holds: (password) => /\p{Ll}/u.test(password) },
  { name: "digit", text: "needs a digit", holds: (password) => /\d/.test(password) },
  {
    name: "symbol",
    text: 'needs one of ! @ # $ % ^ & * ( ) , . ? " : { } | < >',
    holds: (password) => /[!@#$%^&*(),.?":{}|<>]/.test(password),
  },
];

/**
 * Refuses a password that violates a rule: 400 `WEAK_PASSWORD`, with all violated rules in message and
 * details. `field` is the path of the password in the body.
 */
export function requireStrong(password: string, field: string, complex: boolean): void {
  const broken = [...always, ...(complex ? complexity : [])].filter(({ holds }) => !holds(password));
  if (broken.length === 0) return;
  const message = `The password ${broken.map(({ text }) => text).join("; it ")}.`;
  throw new ServiceError("WEAK_PASSWORD", message, { field, rules: broken.map(({ name }) => name) });
}

/** Refuses a password whose confirmation differs. Errors: 400 `VALIDATION_ERROR`. */
export function requireConfirmed(sent: { new_password: string; confirm_password: string }): void {
  if (sent.new_password === sent.confirm_password) return;
  throw invalid([{ field: "confirm_password", message: "is not the same as new_password" }]);
}
