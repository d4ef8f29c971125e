/** `npm run token`: prints an access token for trying the API in any role, without an account. Not in production. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import yargs from "yargs";
import { hideBin } from "yargs/helpers";
import { type AccessClaims, signToken } from "../runtime/auth/index.ts";
import { ConfigError, readConfig } from "../runtime/config/index.ts";
import { loadEnvironment } from "../runtime/process/index.ts";
import { isRoleOfMany } from "../vocabulary/role-names.ts";

const root = process.cwd();

const options = await yargs(hideBin(process.argv))
  .scriptName("npm run token --")
  .usage("$0 [options]\n\nPrints an access token for development, signed with the configured secret.")
  .option("role", { type: "string", default: "user", describe: "the role: user, staff, admin, …" })
  .option("user", { type: "string", default: "1", describe: "the user id (claim `sub`)" })
  .option("email", { type: "string", default: "", describe: "the e-mail address (claim `email`)" })
  .option("minutes", {
    type: "number",
    default: 60,
    describe: "life of the token; 0 or less makes an expired one",
  })
  .example("$0 --role admin", "an administrator for an hour")
  .example("$0 --user 1 --minutes 5", "customer 1 of the seeded book shop")
  .example('TOKEN=$(npm run --silent token -- --role staff); curl -H "Authorization: Bearer $TOKEN" …', "")
  .check(({ minutes, role, user }) => {
    if (!Number.isFinite(minutes)) throw new Error("--minutes must be a number");
    if (role === "" || user === "") throw new Error("--role and --user must not be empty");
    if (isRoleOfMany(role))
      throw new Error(
        `"${role}" stands for the roles of many in access rules, and no token has it as its role`,
      );
    return true;
  })
  .strict()
  .wrap(100)
  .help()
  .version(false)
  .parseAsync();

function refuse(message: string): never {
  console.error(message);
  process.exit(1);
}

function secret() {
  const config = readConfig({
    root,
    manifestPath: join(root, "models", "manifest.json"),
    environment: loadEnvironment(root),
  });
  if (config.production) refuse("NODE_ENV is production: this command is for development only");
  return config.secrets.jwt;
}

try {
  const now = Math.floor(Date.now() / 1000);
  const claims: AccessClaims = {
    sub: options.user,
    role: options.role,
    email: options.email,
    jti: randomUUID(),
    type: "access",
    iat: now,
    exp: now + Math.round(options.minutes * 60),
  };
  console.log(signToken(claims, secret()));
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  refuse(error.message);
}
