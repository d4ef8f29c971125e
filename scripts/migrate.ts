import { migrateService } from "../runtime/start.ts";
import { loadService } from "./load-service.ts";

const root = process.cwd();

await migrateService(await loadService(root), { root }, process.argv.slice(2));
