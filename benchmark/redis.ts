import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { createInterface } from "node:readline";

/** Starts a Redis of the benchmark's own, which keeps nothing. Rejects where there is no `redis-server`. */
export async function startRedis(): Promise<{ url: string; stop(): Promise<void> }> {
  const port = await freePort();
  const settings = ["--bind", "127.0.0.1", "--port", String(port), "--save", "", "--appendonly", "no"];
  const server = spawn("redis-server", settings, { stdio: ["ignore", "pipe", "inherit"] });
  const gone = once(server, "exit");
  gone.catch(() => {});
  const ready = (async () => {
    for await (const line of createInterface(server.stdout))
      if (line.includes("Ready to accept connections")) return;
    throw new Error("redis-server has ended");
  })();
  await Promise.race([ready, gone]);
  server.stdout.resume();
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      server.kill();
      await gone;
    },
  };
}

/** One that the system hands out, and that nobody has at the moment. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
