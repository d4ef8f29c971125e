/** The least that a server on Node.js can do: `node:http` and pg, nothing checked. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import pg from "pg";
import { databaseUrl, serve } from "./serve.ts";
import { envelope, firstPage, statements } from "./statements.ts";

const pool = new pg.Pool({ connectionString: databaseUrl(), max: 10 });

async function answer(request: IncomingMessage): Promise<object> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
  const parameter = (name: string) => searchParams.get(name) ?? "";
  switch (pathname) {
    case "/authors/fetch": {
      const limit = Number(parameter("limit"));
      const country = parameter("country");
      if (searchParams.has("id"))
        return envelope((await pool.query(statements.byId(Number(parameter("id"))))).rows);
      if (country === "")
        return envelope((await pool.query(statements.list(Number(parameter("id__gte")), limit))).rows);
      if (!searchParams.has("page"))
        return envelope((await pool.query(statements.page(country, limit))).rows);
      const [page, total] = await Promise.all([
        pool.query(statements.page(country, limit)),
        pool.query(statements.count(country)),
      ]);
      return envelope(page.rows, firstPage(total.rows[0].count, limit));
    }
    case "/authors/count":
      return envelope({ count: (await pool.query(statements.count(parameter("country")))).rows[0].count });
    case "/authors/create": {
      const { data } = JSON.parse(await body(request));
      return envelope((await pool.query(statements.create(data))).rows[0]);
    }
    case "/graphql":
      return envelope(await graphql(JSON.parse(await body(request))));
    default: {
      const { where, data } = JSON.parse(await body(request));
      const { rows } = await pool.query(statements.update(where.id, data.biography));
      return envelope({ updated_count: rows.length, updated_ids: rows.map((row) => row.id) });
    }
  }
}

/** Knows the two documents that it is sent by their variables. */
async function graphql({ variables }: { readonly variables: Readonly<Record<string, number>> }) {
  const { offset, customer = 0 } = variables;
  if (offset === undefined) {
    const { rows } = await pool.query(statements.totals(customer));
    const group = ({ status, sum, avg, max }: Record<string, string>) => ({
      status,
      sum_total: sum,
      avg_total: avg,
      max_total: max,
    });
    return { orders: rows.map(group) };
  }
  const { rows: books } = await pool.query(statements.books(10, offset));
  const ids = books.map(({ author_id }) => author_id);
  const { rows: authors } = await pool.query(statements.authorsByIds(ids));
  const byId = new Map(authors.map((author) => [author.id, author]));
  const book = ({ id, title, price, published_at, author_id }: Record<string, string>) => ({
    id,
    title,
    price,
    published_at,
    author: byId.get(author_id) ?? null,
  });
  return { books: books.map(book) };
}

async function body(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return text;
}

serve(
  createServer((request: IncomingMessage, response: ServerResponse) => {
    answer(request).then(
      (data) => {
        const text = JSON.stringify(data);
        response.writeHead(200, {
          "Content-Type": "application/json",
          "Content-Length": Buffer.byteLength(text),
        });
        response.end(text);
      },
      () => response.writeHead(500).end(),
    );
  }),
);
