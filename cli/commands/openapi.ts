import { roleNames } from "../app-folder.ts";
import { defineCommand } from "../define-command.ts";

/** `kirak openapi`. */
export const command = defineCommand({
  about: "Prints the OpenAPI 3.1 document of the API, made from the models.",
  flags: {
    role: { type: "string", describe: "only what this role reaches: guest, user, admin, …" },
    out: { type: "string", describe: "write this file instead of printing" },
    check: { type: "boolean", describe: "write nothing; fail if the file of --out differs" },
    complete: {
      type: "boolean",
      describe: "without `select_fields`, so that lists have whole rows: for generators of clients",
    },
    server: { type: "string", describe: "the URL of the service; default /" },
  },
  examples: [
    ["", "the document that `kirak generate` writes to generated/openapi.json"],
    ["--role user --out user.json", "the document for users, without conditions and fields of other roles"],
    ["--role user --out user.json --check", "fail in CI if that file is out of date"],
    ["--complete --server https://api.example.com", "the document for a client in another language"],
  ],
  exitCodes: {
    0: "success",
    1: "the file of --out differs (--check)",
    2: "invalid models, an unknown role, bad flags, or a file that cannot be written",
  },
  candidates: (root) => ({ role: roleNames(root) }),
  read: (given) => ({
    role: given.text("role"),
    out: given.text("out"),
    check: given.has("check"),
    complete: given.has("complete"),
    server: given.text("server"),
  }),
  problem: ({ check, out }) =>
    check && out === null ? "--check needs the file to compare: add --out" : null,
  async run(flags, root) {
    const { exportDocument } = await import("#generator/cli/openapi");
    return exportDocument(flags, root);
  },
});
