import { roleNames } from "../app-folder.ts";
import { type CommandGroup, defineCommand } from "../define-command.ts";

const exitCodes = {
  0: "success",
  2: "invalid models, an unknown role, bad flags, or the module mcp is off",
};

const tools = defineCommand({
  about:
    "Prints the tools of the module mcp as JSON: name, description and input schema. Standard error gets roughly how many tokens they cost an assistant (characters / 4).",
  flags: { role: { type: "string", describe: "only the tools of this role: guest, user, admin, …" } },
  examples: [
    ["", "all tools, each with the roles that can call it"],
    ["--role user", "the tools that an assistant gets with a credential of a user"],
    ["--role guest | jq '.[].name'", "only the names"],
  ],
  exitCodes,
  candidates: (root) => ({ role: roleNames(root) }),
  read: (given) => given.text("role"),
  async run(role, root) {
    const { printTools } = await import("#generator/cli/mcp-tools");
    return printTools(role, root);
  },
});

/** `kirak mcp`. */
export const command: CommandGroup = {
  about: "Shows what assistants get from the module mcp.",
  commands: { tools: { summary: "prints the tools of all roles or of one", command: tools } },
  usual: "tools",
  examples: [["tools --role user", "the tools that an assistant gets with a credential of a user"]],
  exitCodes,
};
