import pg from "pg";
import {
  readArrays,
  readCatalog,
  readDependents,
  readFilledColumns,
  readFoundObjects,
  readGuards,
  readLargeIds,
  readValues,
} from "#runtime/migrations/catalog/index";
import { readCustomTables, readHistory } from "#runtime/migrations/runner/index";
import type { CatalogSchema, CatalogTable } from "#vocabulary/migrations/catalog";
import type { FoundObject } from "#vocabulary/migrations/found-objects";
import { internalPrefix, isInternalTable } from "#vocabulary/migrations/internal-tables";

/** The database before a run, or why it cannot be introspected. */
export type DatabaseRead =
  | {
      readonly schema: CatalogSchema;
      readonly database: string;
      /** Names of its applied migrations. */
      readonly history: readonly string[];
      /** The role of the connection, and the tables that it cannot change. */
      readonly role: string;
      readonly foreign: readonly string[];
    }
  | { readonly refused: string };

/** Runs `work` on a separate connection. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    application_name: "kirak introspect",
  });
  client.on("error", () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Reads a schema, without changes. */
export async function readDatabase(client: pg.Client, schema: string): Promise<DatabaseRead> {
  const access = await accessTo(client, schema);
  const refused = refusalOf(access, schema);
  if (refused !== null) return { refused };
  const [tables, dependents] = [await readCatalog(client, schema), await readDependents(client, schema)];
  const stored = tables.filter(({ kind }) => kind === "table" || kind === "partitioned table");
  return {
    schema: {
      name: schema,
      tables,
      arrays: await readArrays(client, schema, stored),
      values: await readValues(client, schema, stored),
      ...{ dependents, largeIds: [], filled: [], guards: [] },
      others: await otherSchemas(client, schema),
    },
    database: access.database,
    history: (await readHistory(client)).map(({ name }) => name),
    role: access.role,
    foreign: await foreignTables(client, schema),
  };
}

/**
 * The schemas of a database as it is, without changes. The first one is that of unqualified names. With `modelled`, the schemas of
 * existing models (null is that of unqualified names), Kirak's own tables and those of custom SQL are left out, and these schemas are
 * read if none is named.
 */
export async function readFoundDatabase(
  client: pg.Client,
  named: readonly string[],
  { views }: { readonly views: boolean },
  modelled: readonly (string | null)[] | null = null,
): Promise<FoundRead> {
  const access = await accessTo(client, named[0] ?? "public");
  const home = access.current;
  const [schemas, all] = schemasToRead(named, modelled, home);
  const [first = "public"] = schemas;
  const refused = homeProblem(access, schemas, home === null ? null : await accessTo(client, home));
  if (refused !== null || home === null) return { refused: refused ?? "" };
  for (const name of schemas) {
    const { exists, usable, database, role } = await accessTo(client, name);
    if (!exists) return { refused: `the database ${database} has no schema ${name}` };
    if (usable !== true) return { refused: noUsage(role, name, "USAGE") };
  }
  const found: CatalogSchema[] = [];
  const made = modelled === null ? [] : await readCustomTables(client);
  for (const name of schemas) {
    const isOwn = (table: CatalogTable) =>
      name === home && (isInternalTable(table.name) || made.includes(table.name));
    const tables = (await readCatalog(client, name)).filter((table) => modelled === null || !isOwn(table));
    // The rows of a partition are read with its parent.
    const read = tables.filter(({ kind }) => kind !== "partition" && (views || !/view$/.test(kind)));
    found.push({
      ...{ name, tables, dependents: [] },
      arrays: await readArrays(client, name, read),
      values: await readValues(client, name, read),
      largeIds: await readLargeIds(client, name, tables),
      filled: await readFilledColumns(client, name),
      guards: await readGuards(client, name),
      others: await otherSchemas(client, name),
    });
  }
  const taken = first === home ? (found[0]?.tables ?? []).flatMap(takenName) : [];
  if (taken.length > 0) return { refused: takenProblem(taken, first), taken };
  return {
    home,
    schemas: found,
    objects: await readFoundObjects(client, all),
    database: access.database,
    history: (await readHistory(client)).map(({ name }) => name),
  };
}

/** The schemas to read, and those whose objects count. */
function schemasToRead(
  named: readonly string[],
  modelled: readonly (string | null)[] | null,
  home: string | null,
): readonly [schemas: readonly string[], all: readonly string[]] {
  if (modelled === null) return [named, named];
  const known = modelled.flatMap((name) => name ?? home ?? []);
  const unique = (names: readonly string[]) => [...new Set(names)];
  return [unique(named.length === 0 ? known : named), unique([...named, ...known])];
}

function takenName({ name, kind }: CatalogTable): string[] {
  return kind !== "partition" && isInternalTable(name) && !name.startsWith(internalPrefix) ? [name] : [];
}

/** Kirak's own tables need a schema without these names. */
function takenProblem(taken: readonly string[], schema: string): string {
  return (
    `the schema ${schema} has tables with names of Kirak's own tables (${taken.join(", ")}): a run without --dry-run creates ` +
    "the schema kirak for its own, unless the URL has another search_path"
  );
}

/** Why Kirak's own tables have no place, or null. They are in the schema of unqualified names. */
function homeProblem(
  { role, current, database }: DatabaseAccess,
  schemas: readonly string[],
  home: DatabaseAccess | null,
): string | null {
  if (current === null || home === null)
    return `the search path of ${role} has no schema of the database ${database}, and Kirak's own tables need one`;
  if (schemas.indexOf(current) > 0)
    return `the service looks for its tables in ${current}: name this schema first, in --schema`;
  return home.creatable === true
    ? null
    : `the role ${role} cannot create Kirak's own tables in the schema ${current}: GRANT CREATE ON SCHEMA ${current} TO ${role}`;
}

/** The database before a run, or why it cannot be introspected. */
export type FoundRead =
  | {
      readonly home: string;
      readonly schemas: readonly CatalogSchema[];
      readonly objects: readonly FoundObject[];
      readonly database: string;
      readonly history: readonly string[];
    }
  | { readonly refused: string }
  | { readonly refused: string; readonly taken: readonly string[] };

async function otherSchemas(client: pg.Client, schema: string): Promise<{ name: string; tables: number }[]> {
  const { rows } = await client.query<{ name: string; tables: number }>(
    `select n.nspname::text as name, count(*)::int as tables
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and not c.relispartition and n.nspname <> $1
       and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
     group by n.nspname order by n.nspname`,
    [schema],
  );
  return rows;
}

/** Only the owner of a table can change it. */
async function foreignTables(client: pg.Client, schema: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relkind = 'r' and not pg_has_role(c.relowner, 'USAGE') order by c.relname`,
    [schema],
  );
  return rows.map(({ name }) => name);
}

/** The role of the connection, and its rights in a schema. */
export interface DatabaseAccess {
  readonly database: string;
  readonly role: string;
  /** The schema of unqualified names. */
  readonly current: string | null;
  readonly exists: boolean;
  readonly usable: boolean | null;
  readonly creatable: boolean | null;
}

/** Reads the rights of the role. */
async function accessTo(client: pg.Client, schema: string): Promise<DatabaseAccess> {
  const { rows } = await client.query<DatabaseAccess>(
    `select current_database() as database, current_user as role, current_schema()::text as current, n.oid is not null as exists,
       has_schema_privilege(n.oid, 'USAGE') as usable, has_schema_privilege(n.oid, 'CREATE') as creatable
     from (select) as one left join pg_namespace n on n.nspname = $1`,
    [schema],
  );
  const [access] = rows;
  if (access === undefined) throw new Error("the database returned no role");
  return access;
}

function noUsage(role: string, schema: string, rights: string): string {
  return `the role ${role} cannot use the schema ${schema}: GRANT ${rights} ON SCHEMA ${schema} TO ${role}`;
}

/** Why the service could not use this schema, with the fix. Null if it can. */
function refusalOf(
  { database, role, current, exists, usable, creatable }: DatabaseAccess,
  schema: string,
): string | null {
  if (!exists) return `the database ${database} has no schema ${schema}`;
  if (usable !== true) return noUsage(role, schema, "USAGE, CREATE");
  if (current !== schema)
    return (
      `the service would look for its tables in ${current ?? "no schema"}, not in ${schema}: ` +
      `use --schema with that schema, or point the URL here, with ?options=-c%20search_path%3D${encodeURIComponent(schema)}`
    );
  return creatable === true
    ? null
    : `the role ${role} cannot create tables in the schema ${schema}, which migrations need: GRANT CREATE ON SCHEMA ${schema} TO ${role}`;
}
