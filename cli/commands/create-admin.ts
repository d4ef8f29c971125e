import { loadServiceLazily } from "../app/lazy-service.ts";
import { createAdminCommand } from "../service-commands/admin-account.ts";

/** `kirak create-admin`. */
export const command = createAdminCommand(loadServiceLazily);
