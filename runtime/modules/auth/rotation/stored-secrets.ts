import type { SecretKeys, Secrets } from "../../../core/config/index.ts";
import type { Queryable } from "../../../core/database/index.ts";
import { ApiKeyHashes } from "../api-keys/api-key-hashes.ts";
import { encryptionKeys, SealedTexts } from "../crypto/hash.ts";

/** A column of encrypted texts. */
interface SealedColumn {
  readonly table: "auth_mfa" | "auth_social";
  readonly column: string;
  /** SQL of the owner that the text is bound to. */
  readonly owner: string;
  /** The purpose of its keys. */
  readonly purpose: SealPurpose;
}

/** What encrypted texts of the database are for. Each purpose has its own keys. */
export type SealPurpose = "mfa secret" | "social";

const columns: readonly SealedColumn[] = [
  { table: "auth_mfa", column: "secret", owner: "user_id::text", purpose: "mfa secret" },
  { table: "auth_social", column: "extra_data", owner: "provider || ' ' || uid", purpose: "social" },
];

const batch = 200;

interface SealedRow {
  readonly id: string;
  readonly sealed: string;
  readonly owner: string;
}

/** Yields the rows of a column in batches, by id. */
async function* rowsOf(
  connection: Queryable,
  { table, column, owner }: SealedColumn,
): AsyncGenerator<readonly SealedRow[]> {
  const read = {
    name: `kirak_sealed_${table}`,
    text: `select id, ${column}, ${owner} from ${table} where id > $1 and ${column} is not null order by id limit ${batch}`,
  };
  for (let after: string | undefined = "0"; after !== undefined; ) {
    const rows = await connection.run(read, [after]);
    if (rows.length > 0)
      yield rows.map(([id, sealed, text]) => ({ id: id ?? "", sealed: sealed ?? "", owner: text ?? "" }));
    after = rows.length < batch ? undefined : (rows.at(-1)?.[0] ?? undefined);
  }
}

/** The texts of a table that were sealed again, and those that no key opens. */
export interface Resealed {
  readonly table: string;
  readonly changed: number;
  readonly unreadable: number;
}

/**
 * Seals texts of older keys again under the current key; yields the result of each table. It can be stopped
 * and repeated. A text that another process changes meanwhile stays.
 */
export async function* resealTexts(
  connection: Queryable,
  secrets: Pick<Secrets, "encryption" | "jwt">,
): AsyncGenerator<Resealed> {
  for (const place of columns) {
    const { table, column } = place;
    const texts = new SealedTexts(encryptionKeys(secrets, place.purpose));
    const write = {
      name: `kirak_reseal_${table}`,
      text: `update ${table} as stored set ${column} = new.sealed
from unnest($1::bigint[], $2::text[], $3::text[]) as new(id, present, sealed)
where stored.id = new.id and stored.${column} = new.present returning stored.id`,
    };
    let [changed, unreadable] = [0, 0];
    for await (const rows of rowsOf(connection, place)) {
      const found = rows.map((row) => ({ ...row, opened: texts.find(row.sealed, row.owner) }));
      unreadable += found.filter(({ opened }) => opened === null).length;
      const older = found.flatMap(({ id, sealed, owner, opened }) =>
        opened === null || opened.key === 0 ? [] : [{ id, sealed, next: texts.seal(opened.text, owner) }],
      );
      if (older.length === 0) continue;
      const values = [
        older.map(({ id }) => id),
        older.map((one) => one.sealed),
        older.map(({ next }) => next),
      ];
      changed += (await connection.run(write, values)).length;
    }
    yield { table, changed, unreadable };
  }
}

/** What still needs a previous secret. */
export interface SecretUse {
  /** API keys that were not used since the current secret was set. */
  readonly apiKeys: number;
  /** Encrypted texts that only a previous key opens. */
  readonly sealedTexts: number;
  /** Encrypted texts that no key opens. */
  readonly unreadable: number;
}

const countKeys = {
  name: "kirak_api_keys_of_older_secrets",
  text: `select count(*) from auth_tokens
where token_type = 'api_key' and expires_at > now() and (hashed_with is null or not hashed_with = any($1::text[]))`,
};

/** Counts what still needs a previous secret. */
export async function previousSecretUse(connection: Queryable, secrets: Secrets): Promise<SecretUse> {
  const [row] = await connection.run(countKeys, [[...new ApiKeyHashes(secrets).marks]]);
  const { encryption, jwt } = secrets;
  const current = { encryption: encryption === null ? null : onlyCurrent(encryption), jwt: onlyCurrent(jwt) };
  let [sealedTexts, unreadable] = [0, 0];
  for (const place of columns) {
    const all = new SealedTexts(encryptionKeys(secrets, place.purpose));
    const now = new SealedTexts(encryptionKeys(current, place.purpose));
    for await (const rows of rowsOf(connection, place)) {
      const rest = rows.filter(({ sealed, owner }) => now.find(sealed, owner) === null);
      const opened = rest.filter(({ sealed, owner }) => all.find(sealed, owner) !== null);
      sealedTexts += opened.length;
      unreadable += rest.length - opened.length;
    }
  }
  return { apiKeys: Number(row?.[0]), sealedTexts, unreadable };
}

function onlyCurrent([current]: SecretKeys): SecretKeys {
  return [current];
}
