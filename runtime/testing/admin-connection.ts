import pg from "pg";
import { testDatabaseVariable } from "../core/config/index.ts";
import { explain } from "../process/index.ts";
import { TestServiceError } from "./test-service-error.ts";

/** A connection that creates and drops databases. */
export type AdminClient = Pick<pg.Client, "query">;

/** Connects to a server. Throws a TestServiceError if it cannot be reached. */
export async function connectAdmin(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  client.on("error", () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    throw new TestServiceError(explain(error).replaceAll("SERVICE_DATABASE_URL", testDatabaseVariable), {
      cause: error,
    });
  }
}

/** The URL of another database on a server. */
export function urlOfDatabase(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
