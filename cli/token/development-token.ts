import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { readConfig } from "#runtime/core/config/index";
import { type AccessClaims, signToken } from "#runtime/modules/auth/index";
import { CommandError, loadEnvironment } from "#runtime/process/index";

/** The subject and lifetime of a token. */
export interface TokenOptions {
  readonly role: string;
  /** The claim `sub`. */
  readonly user: string;
  readonly email: string;
  /** Lifetime; 0 or less makes an expired token. */
  readonly minutes: number;
}

/** An access token with any role, without an account. Throws a CommandError in production. */
export function developmentToken({ role, user, email, minutes }: TokenOptions, root: string): string {
  const config = readConfig({
    root,
    manifestPath: join(root, "models", "manifest.json"),
    environment: loadEnvironment(root),
  });
  if (config.production)
    throw new CommandError("NODE_ENV is production: this command is for development only");
  const now = Math.floor(Date.now() / 1000);
  const claims: AccessClaims = {
    sub: user,
    role,
    email,
    jti: randomUUID(),
    type: "access",
    iat: now,
    exp: now + Math.round(minutes * 60),
  };
  return signToken(claims, config.secrets.jwt);
}
