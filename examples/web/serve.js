// @ts-check
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname } from "node:path";

/** Serves the files of this folder to browsers of this machine. Any static file server does. */
const types = new Map([
  [".html", "text/html; charset=utf-8"],
  [".js", "text/javascript"],
  [".css", "text/css"],
]);

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  const file = new URL(`.${pathname === "/" ? "/index.html" : pathname}`, import.meta.url);
  const type = types.get(extname(file.pathname));
  const body = type === undefined ? null : await readFile(file).catch(() => null);
  if (type === undefined || body === null) response.writeHead(404).end();
  else response.writeHead(200, { "content-type": type }).end(body);
});
server.listen(Number(process.env["PORT"] ?? 5173), "localhost", () => {
  const address = server.address();
  console.log(`http://localhost:${typeof address === "object" ? address?.port : ""}`);
});
