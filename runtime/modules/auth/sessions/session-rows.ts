import { isoText } from "../../../../vocabulary/fields/dates.ts";
import type { Queryable, Statement } from "../../../core/database/index.ts";
import { ServiceError } from "../../../core/errors/index.ts";
import { type Blacklist, sessionEntry } from "../blacklist/blacklist.ts";
import { deletion, endedSessions } from "../tokens/stored-tokens.ts";

/** What proved the identity of a user at a sign-in. */
export type SignInMethod =
  | "password"
  | "otp"
  | "totp"
  | "backup_code"
  | "passkey"
  | "email_code"
  | `social:${string}`;

/** The client of a request, as sessions and mails name it. */
export interface Device {
  readonly userAgent: string | null;
  readonly address: string | null;
}

/** A session as it is stored. Times are in milliseconds. */
export interface SessionRow {
  readonly id: string;
  readonly userId: string;
  readonly accessExpiresAt: number;
  readonly createdAt: number;
  readonly signedInWith: readonly SignInMethod[];
  readonly device: Device;
}

/** A session as its owner sees it. Times are ISO-8601. */
export interface ListedSession {
  readonly id: string;
  readonly created_at: string;
  readonly last_used_at: string;
  readonly expires_at: string;
  readonly signed_in_with: unknown;
  readonly user_agent: string | null;
  readonly address: string | null;
}

// A session of a refresh token from before version 0.2 begins when the token is used. An earlier access token can
// end later, if the manifest shortened the lifetime since.
const save = {
  name: "kirak_auth_session_save",
  text: `insert into auth_sessions (id, user_id, access_expires_at, created_at, signed_in_with, user_agent, address)
values ($1, $2, to_timestamp($3 / 1000.0), to_timestamp($4 / 1000.0), $5, $6, $7)
on conflict (id) do update set last_used_at = now(), updated_at = now(),
  access_expires_at = greatest(auth_sessions.access_expires_at, excluded.access_expires_at)`,
};

/** Stores a new session, or the renewal of one. The row of its refresh token must exist. */
export async function saveSession(transaction: Queryable, row: SessionRow): Promise<void> {
  const { id, userId, accessExpiresAt, createdAt, signedInWith, device } = row;
  const { userAgent, address } = device;
  const times = [accessExpiresAt, createdAt];
  await transaction.run(save, [id, userId, ...times, signedInWith, userAgent, address]);
}

const alive = "join auth_tokens as token on token.session_id = session.id and token.expires_at > now()";

const list: Statement = {
  name: "kirak_auth_session_list",
  text: `select session.id, session.created_at, session.last_used_at, token.expires_at, to_json(signed_in_with), user_agent, address
from auth_sessions as session ${alive}
where session.user_id = $1 order by session.last_used_at desc, session.id`,
  reads: true,
};

/** Returns the sessions of a user, the last used one first. */
export async function listSessions(connection: Queryable, userId: string): Promise<ListedSession[]> {
  const rows = await connection.run(list, [userId]);
  return rows.map(([id, created, used, expires, methods, userAgent, address]) => ({
    id: id ?? "",
    created_at: isoText(created ?? ""),
    last_used_at: isoText(used ?? ""),
    expires_at: isoText(expires ?? ""),
    signed_in_with: JSON.parse(methods ?? "[]"),
    user_agent: userAgent ?? null,
    address: address ?? null,
  }));
}

const begun: Statement = {
  name: "kirak_auth_session_begun",
  text: `select extract(epoch from session.created_at) * 1000 from auth_sessions as session ${alive}
where session.id = $1 and session.user_id = $2`,
  reads: true,
};

/** Returns when a session of the user began, in milliseconds; null if it has ended. */
export async function sessionBegun(
  connection: Queryable,
  userId: string,
  sessionId: string,
): Promise<number | null> {
  const [row] = await connection.run(begun, [sessionId, userId]);
  return row === undefined ? null : Number(row[0]);
}

/** Returns the session of a token. Errors: `TOKEN_REVOKED` if it has no session, or the session has ended. */
export async function requireLiveSession(
  connection: Queryable,
  userId: string,
  sessionId: string | null,
): Promise<string> {
  if (sessionId !== null && (await sessionBegun(connection, userId, sessionId)) !== null) return sessionId;
  throw new ServiceError("TOKEN_REVOKED", "The session of this token has ended: sign in again.");
}

/** Sessions of a user: one, or all except one. Null means no restriction. */
export interface SessionChoice {
  readonly only: string | null;
  readonly except: string | null;
}

// `$2` and `$3` are a SessionChoice.
const chosen = (id: string) =>
  `user_id = $1 and ($2::uuid is null or ${id} = $2) and ($3::uuid is null or ${id} is distinct from $3)`;

const ending: Statement = {
  name: "kirak_auth_session_ending",
  text: `select id, ceil(extract(epoch from access_expires_at)) from auth_sessions where ${chosen("id")}`,
  reads: true,
};

// A refresh token from before version 0.2 has no session yet.
const end = deletion("chosen", `from auth_tokens where token_type = 'refresh' and ${chosen("session_id")}`);

/**
 * Ends sessions and revokes their access tokens. Without `only`, also ends refresh tokens that have no session
 * yet. Returns the number of sessions that ended. The user's row must be locked. Errors: `AUTH_UNAVAILABLE`.
 */
export async function endSessions(
  transaction: Queryable,
  blacklist: Pick<Blacklist, "add">,
  userId: string,
  { only, except }: SessionChoice,
): Promise<number> {
  const values = [userId, only, except] as const;
  const rows = await transaction.run(ending, values);
  const entries = rows.map(([id, expires]) => ({ jti: sessionEntry(id ?? ""), exp: Number(expires) }));
  await blacklist.add(entries, transaction);
  return endedSessions(await end(transaction, ...values));
}
