import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdir, readFile, rm } from "node:fs/promises";
import { type Agent, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { print, ratio } from "../compare.ts";
import { type RunningServer, type Start, stopServer } from "../measure.ts";
import { type Carrier, compareTransfers } from "./transfers.ts";

export interface UploadBenchmark {
  readonly start: Start;
  /** An access token of the service. */
  readonly token: string;
  /** Where the files go, each server's into a folder of its own. */
  readonly folder: string;
  readonly rounds: number;
}

const boundary = "a-boundary-of-the-benchmark";
const megabyte = 1_000_000;
const contents = [
  { name: "1 MB of bytes", content: randomBytes(megabyte), files: 200, atOnce: 8 },
  {
    name: "1 MB of text",
    content: Buffer.alloc(megabyte, "A line of text, as it stands in a file.\n"),
    files: 200,
    atOnce: 8,
  },
  { name: "100 MB of bytes", content: randomBytes(100 * megabyte), files: 8, atOnce: 2 },
];

/** Compares uploads with those to multer's own storage, and measures the memory that ten large ones take at once. */
export async function compareUploads({ start, token, folder, rounds }: UploadBenchmark): Promise<void> {
  const folders = { kirak: join(folder, "kirak"), multer: join(folder, "multer") };
  const kirak = await start("kirak", "kirak", { BENCHMARK_FILES: folders.kirak });
  const plain = await start("multer", "multer", { BENCHMARK_FILES: folders.multer });
  for (const { name, content, files, atOnce } of contents) {
    const carriers = [kirak, plain].map((server) => uploads(server, token, content));
    const measured = await compareTransfers(carriers, { rounds, files, atOnce });
    print(`upload of ${name}`, measured);
    const of = (figure: "perSecond" | "cpu") => ratio(measured, kirak.name, plain.name, figure);
    console.log(`  requests per second: ${of("perSecond")} of multer (at least 0.95); CPU ${of("cpu")}`);
    // Of multer the files alone: it makes its folder when it starts.
    await rm(folders.kirak, { recursive: true });
    for (const file of await readdir(folders.multer)) await rm(join(folders.multer, file));
  }
  await Promise.all([kirak, plain].map(stopServer));
  const fresh = await start("kirak", "kirak", { BENCHMARK_FILES: folders.kirak });
  await measureMemory(fresh, token);
  await stopServer(fresh);
}

/** Each goes to a key of its own. */
function uploads(server: RunningServer, token: string, content: Buffer): Carrier {
  return {
    name: server.name,
    server,
    transfer: (agent) =>
      upload(server, { token, content, path: `uploads/${content.length}-${randomUUID()}.bin`, agent }),
  };
}

interface Sent {
  readonly token: string;
  readonly content: Buffer;
  readonly path: string;
  readonly agent?: Agent;
}

async function upload(server: RunningServer, { token, content, path, agent }: Sent): Promise<void> {
  const [head, tail] = around(path);
  const outgoing = request({
    port: server.port,
    method: "POST",
    path: "/storage/upload/file",
    ...(agent !== undefined && { agent }),
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": `multipart/form-data; boundary=${boundary}`,
      "content-length": head.length + content.length + tail.length,
    },
  });
  const answered = once(outgoing, "response");
  for (const piece of [head, content]) outgoing.write(piece);
  outgoing.end(tail);
  const [response]: IncomingMessage[] = await answered;
  response?.resume();
  if (response?.statusCode !== 200) throw new Error(`${server.name}: ${response?.statusCode}`);
  await once(response, "end");
}

/** What of a form stands before its file, and behind it. */
function around(path: string): readonly [Buffer, Buffer] {
  const field = `--${boundary}\r\nContent-Disposition: form-data; name="path"\r\n\r\n${path}\r\n`;
  const disposition = 'Content-Disposition: form-data; name="file"; filename="x"';
  const file = `--${boundary}\r\n${disposition}\r\nContent-Type: application/octet-stream\r\n\r\n`;
  return [Buffer.from(field + file), Buffer.from(`\r\n--${boundary}--\r\n`)];
}

/** What a process holds above its idle memory while ten files of 100 MB arrive at once. On Linux. */
async function measureMemory(server: RunningServer, token: string): Promise<void> {
  const content = randomBytes(megabyte);
  for (let at = 0; at < 20; at++) await upload(server, { token, content, path: `warm/${at}.bin` });
  await setTimeout(2000);
  const idle = await residentOf(server);
  const large = randomBytes(100 * megabyte);
  let most = 0;
  let isOver = false;
  const watch = async () => {
    while (!isOver) {
      most = Math.max(most, await residentOf(server));
      await setTimeout(10);
    }
  };
  const watching = watch();
  await Promise.all(
    Array.from({ length: 10 }, (_, at) => upload(server, { token, content: large, path: `large/${at}.bin` })),
  );
  isOver = true;
  await watching;
  console.log(
    `\nmemory while ten files of 100 MB arrive at once: ${Math.round(most - idle)} MB above idle, ${Math.round(idle)} MB (at most 64)`,
  );
}

async function residentOf({ process: { pid } }: RunningServer): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1000;
}
