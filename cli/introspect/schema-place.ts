import type pg from "pg";

/** Who reads a schema of a database, and what that role may do there. */
export interface Place {
  readonly database: string;
  readonly role: string;
  /** Where unqualified names lead. */
  readonly current: string | null;
  readonly exists: boolean;
  readonly usable: boolean | null;
  readonly creatable: boolean | null;
}

/** Asks the database. */
export async function placeOf(client: pg.Client, schema: string): Promise<Place> {
  const { rows } = await client.query<Place>(
    `select current_database() as database, current_user as role, current_schema()::text as current, n.oid is not null as exists,
       has_schema_privilege(n.oid, 'USAGE') as usable, has_schema_privilege(n.oid, 'CREATE') as creatable
     from (select) as one left join pg_namespace n on n.nspname = $1`,
    [schema],
  );
  const [place] = rows;
  if (place === undefined) throw new Error("the database did not say who reads it");
  return place;
}

/** Why a service could not have its tables there, with what mends it, or null. */
export function refusalOf(
  { database, role, current, exists, usable, creatable }: Place,
  schema: string,
): string | null {
  if (!exists) return `the database ${database} has no schema ${schema}`;
  if (usable !== true)
    return `the role ${role} may not use the schema ${schema}: GRANT USAGE, CREATE ON SCHEMA ${schema} TO ${role}`;
  if (current !== schema)
    return (
      `the service would look for its tables in ${current ?? "no schema"}, not in ${schema}: ` +
      `name that one with --schema, or let the URL lead here, with ?options=-c%20search_path%3D${encodeURIComponent(schema)}`
    );
  return creatable === true
    ? null
    : `the role ${role} may not make tables in the schema ${schema}, which migrations must: GRANT CREATE ON SCHEMA ${schema} TO ${role}`;
}
