import type { Queryable, Statement } from "../../../core/database/index.ts";
import { hashOf } from "../crypto/hash.ts";

/** A new e-mail address that waits for its confirmation. */
interface PendingEmail {
  readonly userId: string;
  /** The new address. */
  readonly target: string;
  /** The address of the account at that time. */
  readonly former: string | null;
  /** The token of the link. */
  readonly token: string;
  /** Seconds. */
  readonly expiresAt: number;
}

const save = {
  name: "kirak_auth_pending_email_save",
  text: `insert into auth_pending_changes (user_id, kind, target, former, proof_hash, expires_at)
values ($1, 'email', $2, $3, $4, to_timestamp($5))
on conflict (user_id, kind) do update set target = excluded.target, former = excluded.former,
  proof_hash = excluded.proof_hash, expires_at = excluded.expires_at, updated_at = now()`,
};

/** Stores a change, which replaces an earlier one and voids its link. The user's row must be locked. */
export async function savePendingEmail(transaction: Queryable, change: PendingEmail): Promise<void> {
  const { userId, target, former, token, expiresAt } = change;
  await transaction.run(save, [userId, target, former, hashOf(token), expiresAt]);
}

const waiting = "user_id = $1 and kind = 'email' and expires_at > now()";

const find: Statement = {
  name: "kirak_auth_pending_email_find",
  text: `select target, former from auth_pending_changes where ${waiting} and proof_hash = $2`,
  reads: true,
};

/** Returns the change that the token of a link confirms; null if it was used, voided, or has expired. */
export async function findPendingEmail(
  connection: Queryable,
  userId: string,
  token: string,
): Promise<Pick<PendingEmail, "target" | "former"> | null> {
  const [row] = await connection.run(find, [userId, hashOf(token)]);
  return row === undefined ? null : { target: row[0] ?? "", former: row[1] ?? null };
}

const withdraw = {
  name: "kirak_auth_pending_email_withdraw",
  text: `delete from auth_pending_changes where ${waiting} returning id`,
};

/** Deletes the change and voids its link. Returns false if none waits. */
export async function withdrawPendingEmail(transaction: Queryable, userId: string): Promise<boolean> {
  return (await transaction.run(withdraw, [userId])).length === 1;
}

const voidAll = {
  name: "kirak_auth_pending_changes_void",
  text: "delete from auth_pending_changes where user_id = $1",
};

/** Voids all changes that wait for a proof. The user's row must be locked. */
export async function voidPendingChanges(transaction: Queryable, userId: string): Promise<void> {
  await transaction.run(voidAll, [userId]);
}
