import { createAccount, PasswordQueue, PasswordRules } from "../modules/auth/index.ts";
import { canonicalEmail } from "../modules/mail/index.ts";
import type { ServerParts } from "../process/index.ts";
import type { Service } from "../server/service.ts";

/** A new account, with additional columns of the app. */
export interface NewUser {
  /** Default `"user"`. */
  readonly role?: string;
  /** Default: a unique address. */
  readonly email?: string;
  /** Default: a strong password. */
  readonly password?: string;
  readonly [column: string]: unknown;
}

/** An account, for `as` of a request. */
export interface TestUser {
  readonly user_id: number;
  readonly role: string;
  readonly email: string;
  readonly password: string;
}

/** Returns a function that creates verified accounts without hooks. Errors: as `npm run create-admin`. */
export function userFactory(
  { accounts }: Pick<Service, "accounts">,
  { config, database }: Pick<ServerParts, "config" | "database">,
): (user?: NewUser) => Promise<TestUser> {
  const passwords = new PasswordQueue(config.auth.bcryptCost);
  const hash = (password: string) => passwords.hash(password, null);
  const staff = { rules: new PasswordRules(config), hash };
  let count = 0;
  return async ({ role = "user", email, password = "Correct-Horse-1!", ...columns } = {}) => {
    count++;
    const address = email ?? `user-${count}@example.com`;
    const identity = { email: canonicalEmail(address) ?? address, password, role };
    const { id } = await createAccount(database, accounts, { ...columns, ...identity }, staff);
    return { user_id: Number(id), ...identity };
  };
}
