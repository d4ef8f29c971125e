import { isoText } from "../../../../vocabulary/fields/dates.ts";
import type { Queryable, Statement } from "../../../core/database/index.ts";
import { listApiKeys } from "../api-keys/api-keys.ts";
import { listSessions } from "../sessions/session-rows.ts";
import { currentUser, type UserRow } from "../users/users-table.ts";

const providers: Statement = {
  name: "kirak_auth_export_providers",
  text: `select provider, provider_email, created_at, last_used_at from auth_social where user_id = $1 order by provider`,
  reads: true,
};
const passkeys: Statement = {
  name: "kirak_auth_export_passkeys",
  text: `select id, name, device_type, backed_up, to_json(transports), aaguid, created_at, last_used_at
from auth_passkeys where user_id = $1 order by id`,
  reads: true,
};

/** The data of an account itself in its export: no secret, hash, key or public key. Times are ISO-8601. */
export async function accountData(connection: Queryable, user: UserRow) {
  const [sessions, linked, registered, api_keys] = await Promise.all([
    listSessions(connection, user.id),
    connection.run(providers, [user.id]),
    connection.run(passkeys, [user.id]),
    listApiKeys(connection, user.id),
  ]);
  return {
    user: { ...currentUser(user), phone_number: user.phoneNumber },
    sessions,
    providers: linked.map(([provider, email, linkedAt, usedAt]) => ({
      provider,
      email: email ?? null,
      linked_at: timeOf(linkedAt),
      last_used_at: timeOf(usedAt),
    })),
    passkeys: registered.map(([id, name, type, backedUp, transports, aaguid, createdAt, usedAt]) => ({
      id: Number(id),
      name,
      device_type: type,
      backed_up: backedUp === "t",
      transports: JSON.parse(transports ?? "[]"),
      aaguid,
      created_at: timeOf(createdAt),
      last_used_at: timeOf(usedAt),
    })),
    api_keys: api_keys ?? [],
  };
}

function timeOf(stored: string | null | undefined): string | null {
  return stored == null ? null : isoText(stored);
}
