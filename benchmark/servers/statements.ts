import type pg from "pg";

const columns =
  "id, name, country, born_on::text, biography, website, contact_email, royalty_percent, created_at, updated_at";

/** What somebody who writes such a server by hand would send: named statements, values bound. */
export const statements = {
  byId: (id: string): pg.QueryConfig => ({
    name: "by-id",
    text: `SELECT ${columns} FROM authors WHERE id = $1 ORDER BY id LIMIT 10`,
    values: [id],
  }),
  page: (country: string, limit: string): pg.QueryConfig => ({
    name: "page",
    text: `SELECT ${columns} FROM authors WHERE country = $1 ORDER BY name DESC, id DESC LIMIT $2 OFFSET 0`,
    values: [country, limit],
  }),
  list: (limit: string, offset: string): pg.QueryConfig => ({
    name: "list",
    text: `SELECT ${columns} FROM authors ORDER BY id LIMIT $1 OFFSET $2`,
    values: [limit, offset],
  }),
  count: (country: string): pg.QueryConfig => ({
    name: "count",
    text: "SELECT count(*)::int FROM authors WHERE country = $1",
    values: [country],
  }),
  create: (data: Record<string, unknown>): pg.QueryConfig => ({
    name: "create",
    text: `INSERT INTO authors (name, country, born_on, biography) VALUES ($1, $2, $3, $4) RETURNING ${columns}`,
    values: [data["name"], data["country"], data["born_on"], data["biography"]],
  }),
  revoked: (id: string): pg.QueryConfig => ({
    name: "revoked",
    text: "SELECT 1 FROM auth_token_blacklist WHERE jti = $1 AND expires_at > now()",
    values: [id],
  }),
  update: (id: unknown, biography: unknown): pg.QueryConfig => ({
    name: "update",
    text: "UPDATE authors SET biography = $2, updated_at = now() WHERE id = $1 RETURNING id",
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
