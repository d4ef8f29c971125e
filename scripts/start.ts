import { service } from "../generated/index.ts";
import { startService } from "../runtime/start.ts";

await startService(service, { root: process.cwd() });
