import { startTestService } from "#runtime/testing/index";
import { service } from "../../http/fixture/generated/index.ts";

/** Serves the fixture from a folder as its tests do, prints what it has, and stops on a message. */
const [root = ""] = process.argv.slice(2);
const app = await startTestService(service, { root, printLog: true });
process.once("message", () => void app.stop().then(() => process.disconnect()));
const { status } = await app.request("/stamps/count");
process.send?.({ status, databaseUrl: app.database.url });
