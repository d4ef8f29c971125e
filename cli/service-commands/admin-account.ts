import type { CreateAdmin } from "#runtime/process/commands/index";
import type { LoadService } from "../app/lazy-service.ts";
import { defineCommand } from "../define-command.ts";

/** `kirak create-admin`, for the service that `load` returns. */
export const createAdminCommand = (load: LoadService) =>
  defineCommand({
    about:
      "Creates a verified, active account with the role admin or another role. Asks for e-mail and password on the terminal.",
    flags: {
      email: { type: "string", describe: "e-mail address; asked for if missing" },
      role: {
        type: "string",
        default: "admin",
        describe: "any role of the access rules, such as staff",
      },
      "first-name": { type: "string", describe: "name of the person" },
      "last-name": { type: "string", describe: "name of the person" },
    },
    examples: [
      ["", "create the first administrator"],
      ["--role staff --email ann@example.com", "another role; asks for the password"],
    ],
    exitCodes: {
      0: "created",
      1: "the account exists, an answer is missing or refused, migrations are pending, or the database cannot be reached",
      2: "an unknown flag",
    },
    more: "Without a terminal, set SERVICE_ADMIN_EMAIL and SERVICE_ADMIN_PASSWORD. A password is never an argument: other users of the machine can see arguments, and shells keep them in their history.",
    read: (given): CreateAdmin => {
      const [first, last] = [given.text("first-name"), given.text("last-name")];
      return {
        email: given.text("email"),
        role: given.value("role"),
        names: { ...(first !== null && { first_name: first }), ...(last !== null && { last_name: last }) },
      };
    },
    async run(input, root) {
      const service = await load(root);
      const { createAdminAccount } = await import("#runtime/process/operate");
      return createAdminAccount(service, root, input);
    },
  });
