import { isoText } from "../../../../vocabulary/fields/dates.ts";
import type { Queryable, Statement, TextRow } from "../../../core/database/index.ts";

/** Whether a passkey can be on several devices. It never changes. */
export type DeviceType = "singleDevice" | "multiDevice";

/** What a response of a passkey is checked with. Bytes are in base64url. */
export interface StoredPasskey {
  readonly id: string;
  readonly userId: string;
  readonly credentialId: string;
  /** COSE. */
  readonly publicKey: string;
  readonly userHandle: string;
  readonly deviceType: string;
}

/** A passkey that a user registers. */
export interface NewPasskey extends Omit<StoredPasskey, "id"> {
  readonly counter: number;
  readonly transports: readonly string[];
  readonly backedUp: boolean;
  readonly aaguid: string;
  readonly name: string;
}

/** A passkey as its owner sees it. Times are ISO-8601. */
export interface ListedPasskey {
  readonly id: number;
  readonly name: string;
  readonly device_type: string;
  readonly backed_up: boolean;
  readonly transports: unknown;
  readonly aaguid: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

const listed = "id, name, device_type, backed_up, to_json(transports), aaguid, created_at, last_used_at";

function listedOf(row: TextRow): ListedPasskey {
  const [id, name, type, backedUp, transports, aaguid, created, used] = row;
  return {
    id: Number(id),
    name: name ?? "",
    device_type: type ?? "",
    backed_up: backedUp === "t",
    transports: JSON.parse(transports ?? "[]"),
    aaguid: aaguid ?? "",
    created_at: isoText(created ?? ""),
    last_used_at: used == null ? null : isoText(used),
  };
}

const find: Statement = {
  name: "kirak_auth_passkey_find",
  text: `select id, user_id, credential_id, public_key, user_handle, device_type from auth_passkeys where credential_id = $1`,
  reads: true,
};

/** Returns the passkey with a credential id, or null. */
export async function findPasskey(
  connection: Queryable,
  credentialId: string,
): Promise<StoredPasskey | null> {
  const [row] = await connection.run(find, [credentialId]);
  if (row === undefined) return null;
  const [id, userId, credential, publicKey, userHandle, deviceType] = row;
  return {
    id: id ?? "",
    userId: userId ?? "",
    credentialId: credential ?? "",
    publicKey: publicKey ?? "",
    userHandle: userHandle ?? "",
    deviceType: deviceType ?? "",
  };
}

const known: Statement = {
  name: "kirak_auth_passkey_known",
  text: "select credential_id, to_json(transports), user_handle from auth_passkeys where user_id = $1 order by created_at, id",
  reads: true,
};

/** The passkeys of a user, for options of browsers. */
export interface KnownPasskey {
  readonly credentialId: string;
  readonly transports: readonly string[];
  readonly userHandle: string;
}

/** Returns what browsers need to know of a user's passkeys, oldest first. */
export async function knownPasskeys(connection: Queryable, userId: string): Promise<KnownPasskey[]> {
  const rows = await connection.run(known, [userId]);
  return rows.map(([credentialId, transports, userHandle]) => ({
    credentialId: credentialId ?? "",
    transports: JSON.parse(transports ?? "[]"),
    userHandle: userHandle ?? "",
  }));
}

const insert = {
  name: "kirak_auth_passkey_insert",
  text: `insert into auth_passkeys
  (user_id, credential_id, public_key, counter, user_handle, transports, device_type, backed_up, aaguid, name)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict (credential_id) do nothing returning ${listed}`,
};

/**
 * Stores a passkey. Returns null if its credential id is known, of any user. The user's row must be locked.
 */
export async function insertPasskey(
  transaction: Queryable,
  { userId, credentialId, publicKey, counter, userHandle, ...passkey }: NewPasskey,
): Promise<ListedPasskey | null> {
  const { transports, deviceType, backedUp, aaguid, name } = passkey;
  const key = [userId, credentialId, publicKey, counter, userHandle];
  const [row] = await transaction.run(insert, [...key, transports, deviceType, backedUp, aaguid, name]);
  return row === undefined ? null : listedOf(row);
}

const use = {
  name: "kirak_auth_passkey_use",
  text: `update auth_passkeys set counter = $3, backed_up = $4, last_used_at = now(), updated_at = now()
where id = $1 and user_id = $2 and (counter < $3 or counter = 0 and $3 = 0) returning id`,
};

/**
 * Records a use. Returns false if the counter is not greater than the stored one, where either is not 0: then
 * the passkey can be a copy. The user's row must be locked.
 */
export async function notePasskeyUse(
  transaction: Queryable,
  { id, userId }: Pick<StoredPasskey, "id" | "userId">,
  { counter, backedUp }: Pick<NewPasskey, "counter" | "backedUp">,
): Promise<boolean> {
  return (await transaction.run(use, [id, userId, counter, backedUp])).length === 1;
}

const list: Statement = {
  name: "kirak_auth_passkey_list",
  text: `select ${listed} from auth_passkeys where user_id = $1 order by created_at, id`,
  reads: true,
};

/** Returns the passkeys of a user, oldest first. */
export async function listPasskeys(connection: Queryable, userId: string): Promise<ListedPasskey[]> {
  return (await connection.run(list, [userId])).map(listedOf);
}

const rename = {
  name: "kirak_auth_passkey_rename",
  text: `update auth_passkeys set name = $3, updated_at = now() where id = $1 and user_id = $2 returning ${listed}`,
};

/** Renames a passkey. Returns null if the user has no passkey with this id. */
export async function renamePasskey(
  transaction: Queryable,
  id: string,
  userId: string,
  name: string,
): Promise<ListedPasskey | null> {
  const [row] = isRowId(id) ? await transaction.run(rename, [id, userId, name]) : [];
  return row === undefined ? null : listedOf(row);
}

const remove = {
  name: "kirak_auth_passkey_remove",
  text: "delete from auth_passkeys where id = $1 and user_id = $2 returning id",
};

/** Deletes a passkey. Returns false if the user has no passkey with this id. */
export async function removePasskey(transaction: Queryable, id: string, userId: string): Promise<boolean> {
  return isRowId(id) && (await transaction.run(remove, [id, userId])).length === 1;
}

function isRowId(text: string): boolean {
  return /^[1-9]\d{0,17}$/.test(text);
}
