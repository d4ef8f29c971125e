import { describe } from "vitest";
import { type GraphqlScenario, graphqlScenarios } from "../../support/graphql.ts";
import { testService } from "../../support/service.ts";

const service = await testService();

const id = "1a000000-0000-4000-8000-000000000001";
const given = { visits: [{ id, code: "a", status: "done", report: "fine", seats: 1, most: 2 }] };
const untouched = { visits: [{ status: "done", report: "fine", seats: 1, most: 2 }] };
const run = (body: string, more: Partial<GraphqlScenario> = {}): GraphqlScenario => ({
  given,
  as: "admin",
  query: `mutation { ${body} }`,
  ...more,
});
const broken = (body: string, check: string, field: string): GraphqlScenario =>
  run(body, { fails: `400 VALIDATION_ERROR ${field}`, details: { check }, rows: untouched });

describe("a check that a mutation breaks", () => {
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    broken('createVisits(input: { code: "b", status: done }) { id }', "done_is_reported", "status"),
    broken("createVisits(input: { seats: 2, most: 1, status: done }) { id }", "done_is_reported", "status"),
    broken(`updateVisits(where: { id: "${id}" }, input: { seats: 3 }) { code }`, "a_seat_each", "seats"),
    broken('upsertVisits(input: { code: "a", report: null }) { id }', "done_is_reported", "status"),
    broken('one: createVisits(input: { code: "c" }) { id } two: upsertVisits(input: { code: "a", most: 0 }) { id }', "a_seat_each", "seats"),
    run('upsertVisits(input: { code: "a", status: done, seats: 2 }) { id }',
      { name: "an upsert of a row that is there judges it as it will be", data: { upsertVisits: { id } },
        rows: { visits: [{ status: "done", report: "fine", seats: 2 }] } }),
    run("createVisits(input: { seats: 2 }) { code seats }",
      { name: "what is unknown passes", data: { createVisits: { code: null, seats: 2 } }, given: {}, rows: { visits: [{ code: null, seats: 2 }] } }),
  ]);
});
