import type pg from "pg";
import type { CatalogFill, CatalogGuard } from "../../../vocabulary/migrations/catalog.ts";

/** Columns that triggers in PL/pgSQL set before each row, by assignments to `NEW.column` in the text of their functions. */
export async function readFilledColumns(client: pg.ClientBase, schema: string): Promise<CatalogFill[]> {
  const { rows } = await client.query<CatalogFill>(filledQuery, [schema]);
  return rows;
}

/** The functions, policies and grants of a schema that decide what a role reaches, and the rights that this role lacks. */
export async function readGuards(client: pg.ClientBase, schema: string): Promise<CatalogGuard[]> {
  const { rows } = await client.query<CatalogGuard>(guardsQuery, [schema]);
  return rows;
}

/** The text of a function without the blocks that begin and end with a word. Three times, for blocks in blocks. */
function withoutBlocks(text: string, word: string): string {
  const block = `\\m${word}\\M((?!\\m${word}\\M).)*?\\mend\\s+${word}\\M`;
  return [1, 2, 3].reduce((sql) => `regexp_replace(${sql}, '${block}', ' ', 'gi')`, text);
}

/** The statements that run in each case: up to the first return, a block that is left, or the handler of an exception. */
const returning = String.raw`regexp_replace(body, '\mreturn\M.*$', '', 'i')`;
const always = `regexp_replace(${["if", "case", "loop"].reduce(withoutBlocks, returning)},
  '\\m(if|case|loop|exception\\s+when)\\M.*$', '', 'i')`;

/** `tgtype` has bits: 1 for each row, 2 before, 4 insert, 16 update. */
const filledQuery = `
  select c.relname::text as table, a.attname::text as column, t.tgname::text as trigger,
    t.tgtype & 4 > 0 as insert, t.tgtype & 16 > 0 as update, bool_or(part.always) as always
  from pg_trigger t
  join pg_class c on c.oid = t.tgrelid and not c.relispartition
  join pg_namespace n on n.oid = c.relnamespace
  join pg_proc p on p.oid = t.tgfoid
  join pg_language l on l.oid = p.prolang and l.lanname = 'plpgsql'
  cross join lateral regexp_replace(p.prosrc, '--[^\\n]*|/\\*([^*]|\\*+[^*/])*\\*+/|''([^'']|'''')*''', ' ', 'g') as body
  cross join lateral (values (body, false), (${always}, true)) as part (text, always)
  cross join lateral regexp_matches(
    part.text, '(?:;|\\mbegin|\\mthen|\\melse|\\mloop)\\s*new\\s*\\.\\s*("(?:[^"]|"")+"|[[:alpha:]_]\\w*)\\s*:?=', 'gi') as assigned
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    and a.attname = any(parse_ident(assigned[1]))
  where n.nspname = $1 and not t.tgisinternal and t.tgenabled not in ('D', 'R') and t.tgtype & 3 = 3
    and t.tgqual is null and t.tgattr::text = ''
  group by c.relname, a.attname, t.tgname, t.tgtype
  order by 1, 2, 3`;

const guardsQuery = `
  with relations as (
    select c.* from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = $1 and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
      and not exists (select from pg_depend e
        where e.classid = 'pg_class'::regclass and e.objid = c.oid and e.deptype = 'e')
  )
  select 'definer' as kind, p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')' as object,
    'runs with the rights of ' || pg_get_userbyid(p.proowner) as text
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where n.nspname = $1 and p.prosecdef
    and not exists (select from pg_depend e where e.classid = 'pg_proc'::regclass and e.objid = p.oid and e.deptype = 'e')
  union all
  select 'policies', r.relname::text, coalesce((select string_agg(p.polname, ', ' order by p.polname) from pg_policy p
      where p.polrelid = r.oid), 'no policy')
    || case when row_security_active(r.oid) then ': they hide rows from the role of the service'
      else ': they do not apply to the role of the service' end
  from relations r where r.relrowsecurity
  union all
  select 'grants', r.relname::text, string_agg(rights || ' to ' || grantee, '; ' order by grantee)
  from relations r cross join lateral (
    select case g.grantee when 0 then 'everyone' else pg_get_userbyid(g.grantee) end as grantee,
      string_agg(g.privilege_type, ', ' order by g.privilege_type) as rights
    from aclexplode(r.relacl) g where g.grantee <> r.relowner group by g.grantee) as granted
  group by r.oid, r.relname
  union all
  select 'rights', r.relname::text, 'the role of the service has no right to ' || string_agg(lower(wanted), ', ' order by place)
  from relations r
  cross join unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE']) with ordinality as w (wanted, place)
  where (r.relkind in ('r', 'p', 'f') or wanted = 'SELECT')
    and not has_table_privilege(r.oid, wanted)
    and case when wanted = 'DELETE' then true else not has_any_column_privilege(r.oid, wanted) end
  group by r.oid, r.relname
  order by 1, 2`;
