import { purgeService } from "../runtime/start.ts";

await purgeService({ root: process.cwd() }, process.argv.slice(2));
