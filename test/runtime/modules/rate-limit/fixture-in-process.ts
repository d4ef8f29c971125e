import { loadEnvironment } from "#runtime/process/load-environment";
import { runProcess } from "#runtime/process/run";
import { createServer } from "#runtime/server/server";
import { service } from "../../../http/fixture/generated/index.ts";

/** The fixture's service with the manifest of another folder; run by a test as a process of its own. */
const root = process.argv[2] ?? "";
await runProcess({
  root,
  environment: loadEnvironment(root),
  migrations: service.migrations,
  createApp: (parts) => createServer(service, parts),
});
