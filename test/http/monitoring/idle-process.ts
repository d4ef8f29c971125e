/** A process that makes a service without saying anything of monitoring, asks it, and ends when nothing keeps it alive any more. */
import { join } from "node:path";
import pino from "pino";
import { createDatabase, createHttpServer, createServer, readConfig } from "#runtime/index";
import { listen } from "#runtime/process/http-lifecycle";
import { service } from "../fixture/generated/index.ts";

const [root = ""] = process.argv.slice(2);
const manifestPath = join(root, "models", "manifest.json");
const config = readConfig({ root, manifestPath, environment: process.env });
const log = pino({ level: "warn" });
const database = createDatabase({ url: config.databaseUrl ?? "", log });
const server = createHttpServer(createServer(service, { config, database, log }));
const origin = await listen(server, 0, "127.0.0.1");

const ask = async (path: string) => {
  const authorization = `Bearer ${process.env["SERVICE_MONITORING_INGESTION_KEY"]}`;
  const response = await fetch(origin + path, { headers: { authorization, connection: "close" } });
  return response.text();
};

await ask("/nothing");
let recent = "";
// Written within the second that the manifest says.
while (!recent.includes("unmatched")) recent = await ask("/monitoring/requests/recent");
console.log(recent);
server.close(() => void database.close());
