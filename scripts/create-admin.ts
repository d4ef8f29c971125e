import { service } from "../generated/index.ts";
import { createAdminAccount } from "../runtime/start.ts";

await createAdminAccount(service, { root: process.cwd() }, process.argv.slice(2));
