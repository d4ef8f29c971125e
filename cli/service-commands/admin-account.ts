import type { CreateAdmin } from "#runtime/process/commands/index";
import type { LoadService } from "../app/load-later.ts";
import { defineCommand } from "../define-command.ts";

/** `kirak create-admin`, for the services that `load` gives. */
export const createAdminCommand = (load: LoadService) =>
  defineCommand({
    about:
      "Makes an account that is verified and active, with the role admin or another. E-mail and password are asked for on the terminal.",
    flags: {
      email: { type: "string", describe: "the address, instead of asking" },
      role: {
        type: "string",
        default: "admin",
        describe: "any role of the access rules, such as staff",
      },
      "first-name": { type: "string", describe: "of the person" },
      "last-name": { type: "string", describe: "of the person" },
    },
    examples: [
      ["", "the first administrator"],
      ["--role staff --email ann@example.com", "somebody else; the password is asked for"],
    ],
    exitCodes: {
      0: "made",
      1: "there is such an account, the password is weak, or migrations are pending",
      2: "a flag that it does not know",
    },
    more: "SERVICE_ADMIN_EMAIL and SERVICE_ADMIN_PASSWORD stand in for a terminal. A password is never an argument: others on the machine can see arguments, and shells keep them.",
    read: (given): CreateAdmin => {
      const [first, last] = [given.text("first-name"), given.text("last-name")];
      return {
        email: given.text("email"),
        role: given.value("role"),
        names: { ...(first !== null && { first_name: first }), ...(last !== null && { last_name: last }) },
      };
    },
    async run(wanted, root) {
      const service = await load(root);
      const { createAdminAccount } = await import("#runtime/process/operate");
      return createAdminAccount(service, root, wanted);
    },
  });
