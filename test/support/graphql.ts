import { afterEach, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { stage } from "../http/fixture/stage.ts";
import type { Reply } from "./request.ts";
import { perform, type Scenario } from "./scenarios.ts";
import type { TestService } from "./service.ts";
import type { Caller } from "./service-token.ts";

/** Values of a document's variables. */
export type Variables = { readonly [name: string]: Json };

/** One document, and what it must answer and leave behind. */
export interface GraphqlScenario extends Omit<Scenario, "send" | "body" | "pagination"> {
  readonly query: string;
  readonly variables?: Variables;
  readonly operationName?: string;
}

/** Declares a test for each scenario. Each has the database for itself. */
export function graphqlScenarios(service: TestService, list: readonly GraphqlScenario[]): void {
  afterEach(() => {
    Object.assign(stage, { hooks: {}, fired: [] });
  });
  test.each(list.map((scenario) => [titleOf(scenario), scenario] as const))("%s", async (_, scenario) => {
    await performGraphql(service, scenario);
  });
}

function titleOf({ name, query, variables, as }: GraphqlScenario): string {
  const caller = as === undefined || as === null ? "" : `${typeof as === "string" ? as : as.role} `;
  const sent = variables === undefined ? "" : ` ${JSON.stringify(variables)}`;
  // Vitest formats titles with printf, to which a percent sign is special.
  return (name ?? `${caller}${query}${sent}`).replaceAll(/\s+/g, " ").replaceAll("%", "%%").slice(0, 140);
}

/** Runs a scenario and checks all that it says, and the envelope. */
export function performGraphql(service: TestService, scenario: GraphqlScenario): Promise<Reply> {
  const { query, variables, operationName, fails, ...rest } = scenario;
  const body = bodyOf(query, variables, operationName);
  return perform(service, { ...rest, ...refusal(fails), send: "POST /graphql", body });
}

/** Without a field any field will do. */
function refusal(fails: string | undefined): Pick<Scenario, "fails"> {
  if (fails === undefined || fails.split(" ").length > 2) return fails === undefined ? {} : { fails };
  return { fails: expect.stringMatching(`^${fails}( |$)`) };
}

/** A body of the endpoint. */
export function bodyOf(query: string, variables?: Variables, operationName?: string): Variables {
  return {
    query,
    ...(variables !== undefined && { variables }),
    ...(operationName !== undefined && { operationName }),
  };
}

/** Sends one document as it is; the rows stay as they are. */
export function sendGraphql(
  service: TestService,
  query: string,
  as: Caller = null,
  variables?: Variables,
): Promise<Reply> {
  return service.send({ method: "POST", path: "/graphql", body: bodyOf(query, variables) }, as);
}

/** `data` of a document that must succeed. */
export async function dataOf(
  service: TestService,
  query: string,
  as: Caller = null,
  variables?: Variables,
): Promise<Json> {
  const { status, text, envelope } = await sendGraphql(service, query, as, variables);
  expect(status, `${text} for ${query}`).toBe(200);
  return envelope.data;
}
