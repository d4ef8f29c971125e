import { pathToFileURL } from "node:url";
import { runWorker } from "../../../runtime/commands/worker-command.ts";
import { defineJob } from "../../../runtime/index.ts";
import { queueNames, startServiceWorker } from "../../../runtime/start-worker.ts";
import { service } from "../../http/fixture/generated/index.ts";

/** `npm run worker` of a service whose one job never ends; run by a test as a process of its own. */
const [root = "", ...args] = process.argv.slice(2);
const endless = defineJob({
  payload: { type: "object" },
  attempts: 1,
  async run(_, { db }) {
    await db.transaction(async (context) => {
      await context.sql`select 1`;
      process.send?.("under way");
      await new Promise(() => {});
    });
  },
});
const served = { ...service, models: [], internalModels: [], jobs: { endless } };
await runWorker(
  {
    migrations: pathToFileURL(`${root}/`),
    queue: () => queueNames(served),
    startWorker: (parts) => startServiceWorker(served, parts),
  },
  root,
  args,
);
