import { auditServer } from "graphql-http";
import { expect, test } from "vitest";
import { testService } from "../../support/service.ts";

const service = await testService();

/** What asks for `__type`, which is 403 for everybody (contract: "GraphQL"). Other tests send variables and such texts. */
const introspecting = ["28B9", "BF61", "2EA1"];

test("the audit of GraphQL over HTTP: every MUST, and every SHOULD for its own media type", async () => {
  const results = await auditServer({ url: `${service.origin}/graphql` });
  const demanded = results.filter(
    ({ name }) => name.startsWith("MUST ") || /^SHOULD .*graphql-response\+json$/.test(name),
  );
  expect(demanded.length).toBeGreaterThan(20);
  const failed = demanded.filter(({ status }) => status !== "ok");
  expect(failed.map(({ id }) => id).sort()).toEqual([...introspecting].sort());
  for (const result of failed) expect("response" in result && result.response.status, result.name).toBe(403);
});
