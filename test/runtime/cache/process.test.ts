import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer } from "node:tls";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { compiled } from "../../support/compiled.ts";
import { hasRedis, type TestRedis, testRedis } from "../../support/redis.ts";
import { certificate } from "../../support/smtp.ts";

let folder: string;
let authority: string;
let redis: TestRedis;

/** The output of a process that connects, asks, closes, and ends by itself. */
async function outputOf(url: string, environment: Record<string, string> = {}): Promise<string> {
  const script = fileURLToPath(compiled(new URL("cache-in-process.ts", import.meta.url)));
  const { stdout } = await promisify(execFile)(process.execPath, [script, url], {
    env: { PATH: process.env["PATH"], ...environment },
    timeout: 15_000,
  });
  return stdout;
}

/** Speaks TLS to its callers, and passes on what they say. */
async function encrypted(url: string): Promise<string> {
  const server = createServer(certificate, (near) => {
    const far = connect(Number(new URL(url).port), "127.0.0.1");
    near
      .on("error", () => far.destroy())
      .pipe(far.on("error", () => near.destroy()))
      .pipe(near);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  return `rediss://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

describe.skipIf(!hasRedis)("a process with a connection to Redis", () => {
  beforeAll(async () => {
    redis = await testRedis();
    folder = mkdtempSync(join(tmpdir(), "kirak-cache-"));
    authority = join(folder, "authority.pem");
    writeFileSync(authority, certificate.cert);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("ends by itself when it is closed", async () => {
    expect(await outputOf(redis.url)).toBe("it answers\n");
  });

  test("ends by itself also where Redis says nothing, or is not there", async () => {
    redis.pause();
    expect(await outputOf(redis.url)).toMatch(/Redis cannot be reached.*it does not answer\n$/s);
    redis.resume();
    await redis.kill();
    expect(await outputOf(redis.url)).toMatch(/Redis cannot be reached.*it does not answer\n$/s);
    await redis.start();
  });

  test("speaks TLS with rediss://, to a server whose certificate is good", async () => {
    const url = await encrypted(redis.url);
    expect(await outputOf(url, { NODE_EXTRA_CA_CERTS: authority })).toBe("it answers\n");
    expect(await outputOf(url)).toMatch(/self-signed certificate.*it does not answer\n$/s);
  });
});
