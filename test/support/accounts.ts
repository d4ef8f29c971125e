import { createHash, createHmac, randomBytes, randomUUID } from "node:crypto";
import bcrypt from "bcrypt";
import type { Rows, Stored, TestService } from "./service.ts";
import { jwtSecret, signed } from "./service-token.ts";

/** The password of every account that `account` makes. */
export const password = "Correct-Horse-1!";

const passwordHash = bcrypt.hashSync(password, 4);

/** A row of `users`: verified, active, with `password`. */
export function account(id: number, columns: Stored = {}): Stored {
  return {
    id,
    email: `user${id}@example.com`,
    password: passwordHash,
    role: "user",
    is_verified: true,
    is_active: true,
    ...columns,
  };
}

/** A refresh token that is good for an hour, and its row of `auth_tokens`. */
export function session(
  userId: number,
  lifeSeconds = 3600,
): { readonly token: string; readonly row: Stored } {
  const iat = Math.floor(Date.now() / 1000) - 10;
  const exp = Math.floor(Date.now() / 1000) + lifeSeconds;
  const token = signed({ sub: String(userId), jti: randomUUID(), type: "refresh", iat, exp });
  return {
    token,
    row: {
      user_id: userId,
      token_type: "refresh",
      token_hash: createHash("sha256").update(token).digest("hex"),
      expires_at: new Date(exp * 1000).toISOString(),
    },
  };
}

/** How many rows of a table there are, with a condition in SQL. */
export async function countRows(service: TestService, table: string, condition = "true"): Promise<number> {
  const [row] = await service.query(`SELECT count(*) AS count FROM ${table} WHERE ${condition}`);
  return Number(row?.["count"]);
}

/** Tables of accounts with these users and sessions. */
export function accounts(users: readonly Stored[], tokens: readonly Stored[] = []): Rows {
  return { users, auth_tokens: tokens };
}

/** An API key that is good for an hour, and its row of `auth_tokens`. */
export function apiKey(
  userId: number,
  columns: Stored = {},
  secret = jwtSecret,
): { readonly key: string; readonly prefix: string; readonly hash: string; readonly row: Stored } {
  const key = `kk_${randomBytes(32).toString("hex")}`;
  const hash = createHmac("sha256", secret).update(key).digest("hex");
  const prefix = key.slice(0, 11);
  const row = {
    user_id: userId,
    token_type: "api_key",
    token_hash: hash,
    key_prefix: prefix,
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    ...columns,
  };
  return { key, prefix, hash, row };
}

/** The row of `auth_tokens` of a reset link's token, good for an hour unless `columns` say otherwise. */
export function storedReset(userId: number, token: string, columns: Stored = {}): Stored {
  return {
    user_id: userId,
    token_type: "password_reset",
    token_hash: createHash("sha256").update(token).digest("hex"),
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    ...columns,
  };
}
