import { loadServiceLazily } from "../app/lazy-service.ts";
import { usersCommands } from "../service-commands/users.ts";

/** `kirak users`. */
export const command = usersCommands(loadServiceLazily);
