import { isoText } from "../../../../vocabulary/fields/dates.ts";
import type { Queryable, Statement } from "../../../core/database/index.ts";
import { hashOf } from "../crypto/hash.ts";

type Kind = "email" | "phone";

/** A new e-mail address or phone number that waits for its confirmation. */
export interface PendingChange {
  readonly kind: Kind;
  readonly userId: string;
  /** The new address or number. */
  readonly target: string;
  /** The address or number of the account at that time. */
  readonly former: string | null;
  /** The hash of the link's token, or of the code. */
  readonly proofHash: string;
  /** The session that can confirm the change; null for any caller with the proof. */
  readonly sessionId: string | null;
  /** Seconds. */
  readonly expiresAt: number;
}

const save = {
  name: "kirak_auth_pending_save",
  text: `insert into auth_pending_changes (user_id, kind, target, former, proof_hash, session_id, expires_at)
values ($1, $2, $3, $4, $5, $6, to_timestamp($7))
on conflict (user_id, kind) do update set target = excluded.target, former = excluded.former, attempts = 0,
  proof_hash = excluded.proof_hash, session_id = excluded.session_id, expires_at = excluded.expires_at,
  updated_at = now()`,
};

/** Stores a change, which replaces an earlier one and voids its proof. The user's row must be locked. */
export async function savePending(transaction: Queryable, change: PendingChange): Promise<void> {
  const { kind, userId, target, former, proofHash, sessionId, expiresAt } = change;
  await transaction.run(save, [userId, kind, target, former, proofHash, sessionId, expiresAt]);
}

const waiting = (kind: string) => `user_id = $1 and kind = ${kind} and expires_at > now()`;

const findEmail: Statement = {
  name: "kirak_auth_pending_email",
  text: `select target, former from auth_pending_changes where ${waiting("'email'")} and proof_hash = $2`,
  reads: true,
};

/** Returns the change that the token of a link confirms; null if it was used, voided, or has expired. */
export async function findPendingEmail(
  connection: Queryable,
  userId: string,
  token: string,
): Promise<Pick<PendingChange, "target" | "former"> | null> {
  const [row] = await connection.run(findEmail, [userId, hashOf(token)]);
  return row === undefined ? null : { target: row[0] ?? "", former: row[1] ?? null };
}

const withdraw = {
  name: "kirak_auth_pending_withdraw",
  text: `delete from auth_pending_changes where ${waiting("$2")} returning id`,
};

/** Deletes a change and voids its proof. Returns false if none waits. */
export async function withdrawPending(transaction: Queryable, userId: string, kind: Kind): Promise<boolean> {
  return (await transaction.run(withdraw, [userId, kind])).length === 1;
}

const voidAll = {
  name: "kirak_auth_pending_changes_void",
  text: "delete from auth_pending_changes where user_id = $1",
};

/** Voids all changes that wait for a proof. The user's row must be locked. */
export async function voidPendingChanges(transaction: Queryable, userId: string): Promise<void> {
  await transaction.run(voidAll, [userId]);
}

/** The changes of an account that wait, as its owner sees them. Times are ISO-8601. */
export interface PendingChanges {
  readonly email: { readonly new_email: string; readonly expires_at: string } | null;
  readonly phone: { readonly phone_number: string; readonly expires_at: string } | null;
}

const list: Statement = {
  name: "kirak_auth_pending_list",
  text: "select kind, target, expires_at from auth_pending_changes where user_id = $1 and expires_at > now()",
  reads: true,
};

/** Returns the changes that wait. */
export async function pendingChanges(connection: Queryable, userId: string): Promise<PendingChanges> {
  const rows = await connection.run(list, [userId]);
  const of = (kind: Kind) => {
    const [, target, expires] = rows.find(([found]) => found === kind) ?? [];
    return target == null || expires == null ? null : { target, expires_at: isoText(expires) };
  };
  const [email, phone] = [of("email"), of("phone")];
  return {
    email: email && { new_email: email.target, expires_at: email.expires_at },
    phone: phone && { phone_number: phone.target, expires_at: phone.expires_at },
  };
}
