import { pathToFileURL } from "node:url";
import { defineJob } from "#runtime/index";
import { runServiceWorker } from "#runtime/process/operate";
import { service } from "../../../http/fixture/generated/index.ts";

/** `npm run worker` of a service with one mail and one endless job; run by a test as a process of its own. */
const [root = ""] = process.argv.slice(2);
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
const served = { ...service, models: [], internalModels: [], jobs: { endless }, mails: ["closing"] };
await runServiceWorker({ ...served, migrations: pathToFileURL(`${root}/`) }, root, null);
