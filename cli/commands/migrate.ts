import { loadServiceLazily } from "../app/load-later.ts";
import { migrateCommands } from "../service-commands/migrate-commands.ts";

/** `kirak migrate`. */
export const command = migrateCommands(loadServiceLazily);
