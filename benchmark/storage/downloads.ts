import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { type Agent, get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { print, ratio } from "../compare.ts";
import { type RunningServer, type Start, stopServer } from "../measure.ts";
import { type Carrier, compareTransfers } from "./transfers.ts";

export interface StorageBenchmark {
  readonly start: Start;
  /** Of somebody who may have links. */
  readonly token: string;
  /** Where the files lie. */
  readonly folder: string;
  readonly rounds: number;
}

const sizes = [
  { name: "10 kB", size: 10_000, files: 5_000, atOnce: 32 },
  { name: "10 MB", size: 10_000_000, files: 100, atOnce: 8 },
];
/** Files of each size, so that it is not always the same one. */
const filesOfEach = 10;

/** Compares downloads by signed links with the same files behind `express.static`, which asks for no link. */
export async function compareDownloads({ start, token, folder, rounds }: StorageBenchmark): Promise<void> {
  const kirak = await start("kirak", "kirak", { BENCHMARK_FILES: folder });
  const plain = await start("express.static", "static", { BENCHMARK_FILES: folder });
  for (const { name, size, files, atOnce } of sizes) {
    const keys = await writeFiles(folder, size);
    const links = await Promise.all(keys.map((key) => linkOf(key, kirak, token)));
    const paths = keys.map((key) => `/storage/files/${key}`);
    const carriers = [downloads(kirak, links, size), downloads(plain, paths, size)];
    const measured = await compareTransfers(carriers, { rounds, files, atOnce });
    print(`download of ${name}, by a signed link`, measured);
    console.log(
      `  requests per second: ${ratio(measured, kirak.name, plain.name, "perSecond")} of express.static (at least 0.9); CPU ${ratio(measured, kirak.name, plain.name, "cpu")}`,
    );
  }
  await Promise.all([kirak, plain].map(stopServer));
}

async function writeFiles(folder: string, size: number): Promise<string[]> {
  const keys = Array.from({ length: filesOfEach }, (_, index) => `downloads/${size}/${index}.bin`);
  await mkdir(join(folder, "downloads", `${size}`), { recursive: true });
  for (const key of keys) await writeFile(join(folder, key), randomBytes(size));
  return keys;
}

/** Path and query of a signed link. */
async function linkOf(key: string, { port }: RunningServer, token: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/storage/url?path=${encodeURIComponent(key)}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const answer: { data: { url: string } } = JSON.parse(await response.text());
  const { pathname, search } = new URL(answer.data.url);
  return pathname + search;
}

function downloads(server: RunningServer, paths: readonly string[], size: number): Carrier {
  const transfer = async (agent: Agent, n: number) => {
    const path = paths[n % paths.length] ?? "";
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get({ port: server.port, path, agent }, resolve).once("error", reject);
    });
    let received = 0;
    response.on("data", (chunk: Buffer) => {
      received += chunk.length;
    });
    await once(response, "end");
    if (response.statusCode !== 200 || received !== size)
      throw new Error(`${server.name}, ${path}: ${response.statusCode}, ${received} bytes`);
  };
  return { name: server.name, server, transfer };
}
