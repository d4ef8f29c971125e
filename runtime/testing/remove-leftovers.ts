import type { Administrator } from "./administer.ts";
import { kinds } from "./template-database.ts";

/** How many templates stay, such as those of branches that somebody changes between. */
const keptTemplates = 4;

/** Whoever needs a copy or a draft holds a lock of its name: which of them nobody needs is told by a lock that is free. */
const abandoned = `with found as materialized (
  select datname from pg_database where starts_with(datname, $1) or starts_with(datname, $2)
) select datname from found where pg_try_advisory_lock(hashtextextended(datname, 0))`;

/** Those made first come last. */
const old = "select datname from pg_database where starts_with(datname, $1) order by oid desc offset $2";

/** Drops what killed runs have left behind, and templates of other migrations than the last ones. */
export async function removeLeftovers(admin: Administrator, prefix: string): Promise<void> {
  const left = await namesOf(admin, abandoned, [prefix + kinds.copy, prefix + kinds.draft]);
  for (const name of left) await admin.query(`drop database if exists "${name}" with (force)`);
  // Whoever needs one again makes it again; one that is being copied stays.
  for (const name of await namesOf(admin, old, [prefix + kinds.template, keptTemplates]))
    await admin.query(`drop database if exists "${name}"`).catch(() => {});
}

async function namesOf(admin: Administrator, text: string, values: readonly unknown[]): Promise<string[]> {
  const { rows } = await admin.query<{ datname: string }>(text, [...values]);
  return rows.map(({ datname }) => datname);
}
