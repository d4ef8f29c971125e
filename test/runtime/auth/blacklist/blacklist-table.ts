import type { IsCurrent, LookedUp } from "#runtime/auth/blacklist/blacklist";
import { service } from "../../../http/fixture/generated/index.ts";
import { serviceDatabase, type TestDatabase } from "../../../support/database.ts";

/** A database with the tables of the fixture, accounts included. */
export async function blacklistDatabase(): Promise<TestDatabase> {
  return serviceDatabase(service);
}

/** A token of which a test wants nothing but that it can be revoked. */
export function token(jti: string, secondsLeft = 3600): { jti: string; exp: number } {
  return { jti, exp: Math.floor(Date.now() / 1000) + secondsLeft };
}

/** The claims of a token that the blacklist looks at. */
export function claims(jti: string, sub = "7", iat = Math.floor(Date.now() / 1000)): LookedUp {
  return { jti, sub, iat };
}

/** Of tokens that this service did not make: by their second. */
export const isCurrent: IsCurrent = ({ iat }, { credentialsChangedAt: changed }) =>
  changed === null || iat > Math.floor(Date.parse(changed) / 1000);
