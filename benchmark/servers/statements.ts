import type pg from "pg";

const columns =
  "id, name, country, born_on::text, biography, website, contact_email, royalty_percent, created_at, updated_at";

/** What somebody who writes such a server by hand would send: named statements, values bound. */
export const statements = {
  byId: (id: string): pg.QueryConfig => ({
    name: "by-id",
    text: `select ${columns} from authors where id = $1 order by id limit 10`,
    values: [id],
  }),
  page: (country: string, limit: string): pg.QueryConfig => ({
    name: "page",
    text: `select ${columns} from authors where country = $1 order by name desc, id desc limit $2 offset 0`,
    values: [country, limit],
  }),
  list: (limit: string, offset: string): pg.QueryConfig => ({
    name: "list",
    text: `select ${columns} from authors order by id limit $1 offset $2`,
    values: [limit, offset],
  }),
  count: (country: string): pg.QueryConfig => ({
    name: "count",
    text: "select count(*)::int from authors where country = $1",
    values: [country],
  }),
  create: (data: Record<string, unknown>): pg.QueryConfig => ({
    name: "create",
    text: `insert into authors (name, country, born_on, biography) values ($1, $2, $3, $4) returning ${columns}`,
    values: [data["name"], data["country"], data["born_on"], data["biography"]],
  }),
  revoked: (id: string): pg.QueryConfig => ({
    name: "revoked",
    text: "select 1 from auth_token_blacklist where jti = $1 and expires_at > now()",
    values: [id],
  }),
  update: (id: unknown, biography: unknown): pg.QueryConfig => ({
    name: "update",
    text: "update authors set biography = $2, updated_at = now() where id = $1 returning id",
    values: [id, biography],
  }),
};

/** The envelope of the contract around the data. */
export function envelope(data: unknown, pagination?: object): object {
  return {
    statusCode: 200,
    status: "success",
    message: "ok",
    data,
    ...(pagination !== undefined && { pagination }),
  };
}

/** The pagination of a first page. */
export function firstPage(total: number, limit: number): object {
  return { limit, page: 1, offset: 0, total, total_pages: Math.ceil(total / limit), has_more: limit < total };
}
