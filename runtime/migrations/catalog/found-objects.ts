import pg from "pg";
import type { FoundObject } from "../../../vocabulary/migrations/found-objects.ts";

/** A value of an enum type that has another name since: definitions of objects contain the current one. */
export interface RenamedValue {
  /** The type, as SQL has it. */
  readonly type: string;
  readonly value: string;
  readonly to: string;
}

/**
 * The objects of the tables and views of some schemas, in a stable order: defaults, indexes, constraints, triggers, policies and
 * views, without those of extensions. Their digests are of definitions with all schemas, so no setting of a session changes them.
 * A table of the first schema of the search path has no schema in its name. Definitions have the former names of `renamed` values,
 * which are in the order of their renaming.
 */
export async function readFoundObjects(
  client: pg.ClientBase,
  schemas: readonly string[],
  renamed: readonly RenamedValue[] = [],
): Promise<FoundObject[]> {
  const types = await wholeNames(client, renamed);
  const definition = renamed.reduceRight((sql, one, at) => formerly(sql, one, types[at] ?? ""), "definition");
  const results: unknown = await client.query(
    [
      "select set_config('kirak.search_path', current_setting('search_path'), true), set_config('kirak.home', current_schema(), true)",
      "select set_config('search_path', '', true)",
      objectsQuery(schemas.map((name) => pg.escapeLiteral(name)).join(", "), definition),
      "select set_config('search_path', current_setting('kirak.search_path'), true)",
    ].join(";\n"),
  );
  const [, , objects]: readonly pg.QueryResult<FoundObject>[] = Array.isArray(results) ? results : [];
  return objects?.rows ?? [];
}

/** The names of types with their schemas, as definitions have them. */
async function wholeNames(client: pg.ClientBase, renamed: readonly RenamedValue[]): Promise<string[]> {
  if (renamed.length === 0) return [];
  const { rows } = await client.query<{ name: string }>(
    `select coalesce(format('%I.%I', n.nspname, t.typname), '') as name from unnest($1::text[]) with ordinality as r (type, place)
     left join pg_type t on t.oid = to_regtype(r.type) left join pg_namespace n on n.oid = t.typnamespace order by r.place`,
    [renamed.map(({ type }) => type)],
  );
  return rows.map(({ name }) => name);
}

/** SQL for a definition with the former name of a value, as a constant and in constant lists. */
function formerly(definition: string, { value, to }: RenamedValue, type: string): string {
  const quoted = (text: string) => text.replaceAll("'", "''");
  const inList = (text: string) => quoted(/^$|[\s{},"\\]|^null$/i.test(text) ? JSON.stringify(text) : text);
  const is = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const replaced = (sql: string, pattern: string, by: string) =>
    `regexp_replace(${sql}, ${pg.escapeLiteral(pattern)}, ${pg.escapeLiteral(`\\1${by.replaceAll("\\", "\\\\")}`)}, 'g')`;
  const one = replaced(definition, `(')${is(quoted(to))}(?='::${is(type)}(?!\\w))`, quoted(value));
  return replaced(one, `([{,])${is(inList(to))}(?=[,}]([^']|'')*'::${is(type)}\\[\\])`, inList(value));
}

function objectsQuery(schemas: string, definition: string): string {
  return `
  with relations as (
    select c.oid, c.relkind, c.relname, c.relispartition,
      case when n.nspname = current_setting('kirak.home') then '' else n.nspname || '.' end || c.relname as called
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in (${schemas}) and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
      and not exists (select from pg_depend e
        where e.classid = 'pg_class'::regclass and e.objid = c.oid and e.deptype = 'e')
  ), objects as (
    select r.called, 'default' as kind, a.attname::text as name,
      a.attidentity::text || a.attgenerated::text || coalesce(pg_get_expr(d.adbin, d.adrelid), '') as definition
    from relations r join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = r.oid and d.adnum = a.attnum
    where r.relkind in ('r', 'p', 'f') and (d.oid is not null or a.attidentity <> '')
    union all
    select r.called, 'index', x.relname::text, pg_get_indexdef(x.oid)
    from relations r join pg_index i on i.indrelid = r.oid join pg_class x on x.oid = i.indexrelid
    where not exists (select from pg_constraint k where k.conindid = x.oid and k.conrelid = r.oid and k.contype in ('p', 'u', 'x'))
    union all
    select r.called, case k.contype when 'p' then 'primary_key' when 'u' then 'unique' when 'f' then 'foreign_key'
      when 'c' then 'check' else 'exclusion' end, k.conname::text, pg_get_constraintdef(k.oid)
    from relations r join pg_constraint k on k.conrelid = r.oid and k.contype in ('p', 'u', 'f', 'c', 'x')
    where not exists (select from pg_constraint p where p.oid = k.conparentid and p.conrelid = k.conrelid)
    union all
    select r.called, 'trigger', t.tgname::text, pg_get_triggerdef(t.oid) || t.tgenabled::text
    from relations r join pg_trigger t on t.tgrelid = r.oid and not t.tgisinternal
    union all
    select r.called, 'policy', p.polname::text, concat_ws(' ', p.polcmd, p.polpermissive,
      array(select pg_get_userbyid(o) from unnest(p.polroles) as o order by 1),
      pg_get_expr(p.polqual, p.polrelid), '/', pg_get_expr(p.polwithcheck, p.polrelid))
    from relations r join pg_policy p on p.polrelid = r.oid
    union all
    select r.called, case r.relkind when 'v' then 'view' else 'materialized view' end, r.relname::text, pg_get_viewdef(r.oid)
    from relations r where r.relkind in ('v', 'm')
  )
  select called as table, kind, name, left(md5(${definition}), 12) as digest from objects
  order by called, kind, name collate "C"`;
}
