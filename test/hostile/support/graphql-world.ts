import { beforeEach, expect } from "vitest";
import { sendGraphql, type Variables } from "../../support/graphql.ts";
import { library, tree } from "../../support/graphql-library.ts";
import type { Reply } from "../../support/request.ts";
import { expectEnvelope } from "../../support/scenarios.ts";
import { type TestService, testService } from "../../support/service.ts";
import type { Caller } from "../../support/service-token.ts";

const sales = [
  { id: 1, amount: 1, cost: 77, region: "north", user: 7 },
  { id: 2, amount: 2, cost: 88, region: "north", user: 8 },
];

/** What the tables hold before each test. */
export const rows = { ...library, ...tree, sales };

/** Sends one document. Expects an envelope, and no 5xx. */
export type Ask = (query: string, as?: Caller, variables?: Variables) => Promise<Reply>;

/** The fixture's service with the same rows before each test. */
export async function graphqlWorld(): Promise<{ readonly service: TestService; readonly ask: Ask }> {
  const service = await testService();
  // Of connections that are yet to be opened.
  await service.query(
    "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET deadlock_timeout = %L', current_database(), '50ms'); END $$",
  );
  beforeEach(() => service.store(rows));
  return {
    service,
    async ask(query, as = null, variables) {
      const reply = await sendGraphql(service, query, as, variables);
      expectEnvelope(reply);
      expect(reply.status, `${reply.text} for ${query}`).toBeLessThan(500);
      return reply;
    },
  };
}
