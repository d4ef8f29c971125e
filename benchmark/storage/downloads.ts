import { createSecretKey, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { type Agent, get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { LinkSignatures } from "../../runtime/storage/stores/local/link-signatures.ts";
import { print, ratio } from "../compare.ts";
import { type RunningServer, type Start, stopServer } from "../measure.ts";
import { type Carrier, compareTransfers } from "./transfers.ts";

export interface StorageBenchmark {
  readonly start: Start;
  /** What the service signs links with. */
  readonly secret: string;
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
export async function compareDownloads({ start, secret, folder, rounds }: StorageBenchmark): Promise<void> {
  const kirak = await start("kirak", "kirak", { BENCHMARK_FILES: folder });
  const plain = await start("express.static", "static", { BENCHMARK_FILES: folder });
  for (const { name, size, files, atOnce } of sizes) {
    const keys = await writeFiles(folder, size);
    const links = keys.map((key) => `${key}?${queryOf(key, secret)}`);
    const carriers = [downloads(kirak, links, size), downloads(plain, keys, size)];
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

function queryOf(key: string, secret: string): string {
  const expires = Math.floor(Date.now() / 1000) + 86_400;
  const signature = new LinkSignatures(createSecretKey(Buffer.from(secret))).of(key, expires);
  return `expires=${expires}&signature=${signature}`;
}

function downloads(server: RunningServer, links: readonly string[], size: number): Carrier {
  const transfer = async (agent: Agent, n: number) => {
    const path = `/storage/files/${links[n % links.length]}`;
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
