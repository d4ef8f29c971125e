import { purgeService } from "kirak/start";

await purgeService({ root: process.cwd() }, process.argv.slice(2));
