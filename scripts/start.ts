import { startService } from "kirak/start";
import { loadService } from "./load-service.ts";

const root = process.cwd();

await startService(await loadService(root), { root });
