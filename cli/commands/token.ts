import { isReservedRole, reservedRoleText } from "#vocabulary/accounts/role-names";
import { roleNames } from "../app-folder.ts";
import { defineCommand } from "../define-command.ts";

/** `kirak token`. */
export const command = defineCommand({
  about:
    "Prints an access token for development, signed with the configured secret: any role, without an account.",
  flags: {
    role: { type: "string", default: "user", describe: "the role: user, staff, admin, …" },
    user: { type: "string", default: "1", describe: "the user id (claim `sub`)" },
    email: { type: "string", describe: "the e-mail address (claim `email`)" },
    minutes: {
      type: "number",
      default: 60,
      describe: "lifetime of the token in minutes; 0 or less creates an expired token",
    },
  },
  examples: [
    ["--role admin", "a token for an administrator, for one hour"],
    ["--user 7 --minutes 5", "a token for user 7, for five minutes"],
    ["--minutes 0", "see the response to an expired token"],
  ],
  exitCodes: {
    0: "printed",
    1: "NODE_ENV is production, or the configuration is invalid",
    2: "bad flags",
  },
  more: 'In a shell: curl -H "Authorization: Bearer $(npm run --silent token -- --role staff)" http://localhost:3000/…',
  candidates: (root) => ({ role: roleNames(root) }),
  read: (given) => ({
    role: given.value("role"),
    user: given.value("user"),
    email: given.text("email") ?? "",
    minutes: given.number("minutes") ?? 0,
  }),
  problem: ({ role }) =>
    isReservedRole(role) ? `${reservedRoleText(role)}; a token cannot have it as its role` : null,
  async run(input, root) {
    const { developmentToken } = await import("../token/development-token.ts");
    process.stdout.write(`${developmentToken(input, root)}\n`);
    return 0;
  },
});
