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
