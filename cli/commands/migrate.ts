import { loadServiceLazily } from "../app/lazy-service.ts";
import { migrateCommands } from "../service-commands/migrate-commands.ts";

/** `kirak migrate`. */
export const command = migrateCommands(loadServiceLazily);
