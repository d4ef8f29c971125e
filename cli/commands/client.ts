import { roleNames } from "../app-folder.ts";
import { defineCommand } from "../define-command.ts";

/** `kirak client`. */
export const command = defineCommand({
  about: "Writes a typed TypeScript client of the API: one file without dependencies.",
  flags: {
    out: { type: "string", describe: "the folder of the client: empty, or with files of this command only" },
    check: { type: "boolean", describe: "write nothing; print the differences and fail if there are any" },
    role: { type: "string", describe: "only what this role reaches: guest, user, admin, …" },
    validators: {
      type: "string",
      describe: "also write validators.ts, with the schemas of records for forms",
      choices: ["zod"],
    },
    package: { type: "string", describe: "write an npm package of this name instead of TypeScript" },
    "package-version": { type: "string", describe: "the version of the package; default docs.version" },
  },
  examples: [
    ["--out ../web/src/api", "writes ../web/src/api/index.ts"],
    ["--out ../web/src/api --check", "fail in CI if the client is out of date"],
    ["--out ../shop/api --role user", "a client without what only other roles reach"],
    ["--out ../web/src/api --validators zod", "also the schemas for forms, which import zod 4"],
    ["--out client --package @acme/api --package-version 1.4.0", "a package, for npm publish"],
  ],
  exitCodes: {
    0: "success",
    1: "a file differs (--check)",
    2: "invalid models, an unknown role, bad flags, or a folder that holds other files",
  },
  candidates: (root) => ({ role: roleNames(root) }),
  read: (given) => ({
    out: given.text("out"),
    check: given.has("check"),
    role: given.text("role"),
    validators: given.text("validators") !== null,
    packageName: given.text("package"),
    packageVersion: given.text("package-version"),
  }),
  problem: ({ out, validators, packageName, packageVersion }) => {
    if (out === null) return "the client needs a folder: add --out";
    if (packageName === null)
      return packageVersion === null ? null : "--package-version needs the name of a package: add --package";
    return validators ? "--validators writes TypeScript: leave --package out" : null;
  },
  async run({ out, ...flags }, root) {
    const { exportClient } = await import("#generator/cli/export-client");
    return exportClient({ ...flags, out: out ?? "." }, root);
  },
});
