import { loadServiceLazily } from "../app/load-later.ts";
import { createAdminCommand } from "../service-commands/admin-account.ts";

/** `kirak create-admin`. */
export const command = createAdminCommand(loadServiceLazily);
