import { startService } from "../runtime/start.ts";
import { loadService } from "./load-service.ts";

const root = process.cwd();

await startService(await loadService(root), { root });
