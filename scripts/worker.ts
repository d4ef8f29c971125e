import { runServiceWorker } from "../runtime/start.ts";
import { loadService } from "./load-service.ts";

const root = process.cwd();

await runServiceWorker(await loadService(root), { root }, process.argv.slice(2));
