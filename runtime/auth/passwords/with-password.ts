import type { Database, Transaction } from "../../database/index.ts";
import { lockUser, type UserRow } from "../users/users-table.ts";
import type { Passwords } from "./password-queue.ts";

/** What comparing a password takes. */
export interface PasswordCheck {
  readonly database: Database;
  readonly passwords: Passwords;
}

/** Whose password it is, and what is done for whoever knows it. */
export interface PasswordWork<Prepared, Result> {
  readonly password: string;
  /** The share of the password queue that it counts in. */
  readonly share: string;
  /** Runs once, when it is the password's turn to be compared; a throw refuses. */
  readonly beforeCompare?: () => Promise<void>;
  readonly find: () => Promise<UserRow | null>;
  /** For the right password alone, before anything is locked. */
  readonly prepare: (known: UserRow) => Promise<Prepared>;
  /** With the user's row locked, whose password is still the one that was compared. */
  readonly work: (transaction: Transaction, user: UserRow, prepared: Prepared) => Promise<Result>;
}

/** A second one is needed where a login of the same moment renews the hash, a third where that follows a change. */
const longestAttempts = 3;

/**
 * Does something for whoever knows a user's password; null for a wrong one. It takes as long where there is no user. A hash
 * that was replaced since it was compared is compared anew: the password may have changed, or only the cost of its hash.
 */
export async function withPassword<Prepared, Result extends object>(
  { database, passwords }: PasswordCheck,
  { password, share, beforeCompare, find, prepare, work }: PasswordWork<Prepared, Result>,
): Promise<Result | null> {
  for (let attempt = 1; attempt <= longestAttempts; attempt++) {
    const known = await find();
    const first = attempt === 1 ? beforeCompare : undefined;
    const isRight = await passwords.verify(password, known?.password ?? null, share, first);
    if (known === null || !isRight) return null;
    const prepared = await prepare(known);
    const result = await database.transaction(async (transaction) => {
      const user = await lockUser(transaction, known.id);
      return user?.password === known.password ? work(transaction, user, prepared) : null;
    });
    if (result !== null) return result;
  }
  return null;
}
