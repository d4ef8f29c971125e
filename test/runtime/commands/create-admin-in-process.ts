import { runCreateAdmin } from "../../../runtime/commands/create-admin-command.ts";
import { service } from "../../http/fixture/generated/index.ts";

/** `npm run create-admin` on the models of the fixture; run by a test as a process of its own. */
const [root = "", ...args] = process.argv.slice(2);
await runCreateAdmin(service, root, args);
