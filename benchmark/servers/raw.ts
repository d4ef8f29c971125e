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
      if (searchParams.has("id")) return envelope((await pool.query(statements.byId(parameter("id")))).rows);
      if (!searchParams.has("country")) {
        return envelope((await pool.query(statements.list(parameter("limit"), parameter("offset")))).rows);
      }
      const [page, total] = await Promise.all([
        pool.query(statements.page(parameter("country"), parameter("limit"))),
        pool.query(statements.count(parameter("country"))),
      ]);
      return envelope(page.rows, firstPage(total.rows[0].count, Number(parameter("limit"))));
    }
    case "/authors/count":
      return envelope({ count: (await pool.query(statements.count(parameter("country")))).rows[0].count });
    case "/authors/create": {
      const { data } = JSON.parse(await body(request));
      return envelope((await pool.query(statements.create(data))).rows[0]);
    }
    default: {
      const { where, data } = JSON.parse(await body(request));
      const { rows } = await pool.query(statements.update(where.id, data.biography));
      return envelope({ updated_count: rows.length, updated_ids: rows.map((row) => row.id) });
    }
  }
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
