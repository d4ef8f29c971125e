import { service } from "../generated/index.ts";
import { migrateService } from "../runtime/start.ts";

await migrateService(service, { root: process.cwd() }, process.argv.slice(2));
