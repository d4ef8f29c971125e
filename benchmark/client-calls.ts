import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { transformSync } from "esbuild";
import { clientText } from "#generator/emit/client/client";
import { median } from "./measure.ts";

/** What the generated client of the book shop costs. */
export interface ClientFigures {
  /** In bytes, minified and with gzip, with all models of the book shop. */
  readonly zipped: number;
  /** Microseconds of the processor that `client.books.fetch` takes more than `fetch` and its JSON. */
  readonly call: number;
}

/** The part of the client that is measured. */
interface Shop {
  createClient(options: { url: string; token: string; fetch: typeof fetch }): {
    books: { fetch(query: object): PromiseLike<object[]> };
  };
}

const calls = 20_000;
const rows = Array.from({ length: 20 }, (_, id) => ({
  id,
  title: "The Left Hand of Darkness",
  price: "9.99",
}));
const answer = JSON.stringify({ statusCode: 200, status: "success", message: "", data: rows });
const answers = async () => new Response(answer, { headers: { "content-type": "application/json" } });

/** Measures calls that are answered in the process, because a socket costs more than the client, and not the same each time. */
export async function clientFigures(root: string, rounds: number): Promise<ClientFigures> {
  const source = clientText(JSON.parse(readFileSync(join(root, "generated", "openapi.json"), "utf8")));
  const { code } = transformSync(source, { loader: "ts", format: "esm", minify: true, target: "es2022" });
  const folder = join(root, "var", "benchmark");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `client-${process.pid}.mjs`);
  writeFileSync(file, code);
  const { createClient }: Shop = await import(pathToFileURL(file).href);
  rmSync(file);
  const url = "http://localhost";
  const { books } = createClient({ url, token: "token", fetch: answers });
  const where = { price: { lt: "15.00" }, author_id: 3 };
  const query = { where, select: ["id", "title", "price"], orderBy: "-price", limit: 20 };
  const differences: number[] = [];
  for (let round = 0; round < rounds + 1; round++) {
    const plain = await microseconds(async () => (await answers()).json());
    const client = await microseconds(() => books.fetch(query));
    // The first round compiles the code.
    if (round > 0) differences.push(client - plain);
  }
  return { zipped: gzipSync(code, { level: 9 }).length, call: median(differences) };
}

/** Of the processor, for one call. */
async function microseconds(call: () => PromiseLike<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let at = 0; at < calls; at++) await call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}
