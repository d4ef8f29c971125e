import type { Config } from "../../../core/config/index.ts";
import { invalid, ServiceError } from "../../../core/errors/index.ts";
import { longestPassword } from "../../../models/validation/index.ts";
import { isCommon, isPersonal, loadCommonPasswords, wordIn } from "./common-passwords.ts";

const shortestPassword = 12;

/** The person of a new password. */
export interface PasswordOwner {
  readonly email: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
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

/** The rules for new passwords. */
export class PasswordRules {
  readonly #rules: readonly Rule[];
  readonly #service: string;
  /** Null if `auth.refuse_common_passwords` is off. */
  readonly #common: Promise<ReadonlySet<string>> | null;

  constructor({ auth, name }: Pick<Config, "auth" | "name">) {
    this.#rules = auth.passwordComplexity ? [...always, ...complexity] : always;
    this.#service = name;
    this.#common = auth.refuseCommonPasswords ? loadCommonPasswords() : null;
    // `require` throws it.
    this.#common?.catch(() => {});
  }

  /**
   * Refuses a password that violates a rule: 400 `WEAK_PASSWORD`, with all violated rules in message and
   * details. `field` is the path of the password in the body. A null owner is not known yet.
   */
  async require(password: string, field: string, owner: PasswordOwner | null): Promise<void> {
    const broken = this.#rules.filter(({ holds }) => !holds(password));
    const found = broken.length > 0 ? broken : await this.#guessable(password, owner);
    if (found.length === 0) return;
    const message = `The password ${found.map(({ text }) => text).join("; it ")}.`;
    throw new ServiceError("WEAK_PASSWORD", message, { field, rules: found.map(({ name }) => name) });
  }

  async #guessable(
    password: string,
    owner: PasswordOwner | null,
  ): Promise<readonly Pick<Rule, "name" | "text">[]> {
    if (this.#common === null) return [];
    const word = wordIn(password);
    if (isCommon(word, await this.#common))
      return [
        { name: "common", text: "is easy to guess: many people use it, with other digits and symbols" },
      ];
    const { email = null, firstName = null, lastName = null } = owner ?? {};
    const localPart = email?.slice(0, email.lastIndexOf("@")) ?? null;
    return isPersonal(word, [localPart, firstName, lastName, this.#service])
      ? [{ name: "personal", text: "is easy to guess: it is a name, with other digits and symbols" }]
      : [];
  }
}

/** Refuses a password whose confirmation differs. Errors: 400 `VALIDATION_ERROR`. */
export function requireConfirmed(sent: { new_password: string; confirm_password: string }): void {
  if (sent.new_password === sent.confirm_password) return;
  throw invalid([{ field: "confirm_password", message: "is not the same as new_password" }]);
}
