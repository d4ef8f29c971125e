import { join, resolve } from "node:path";
import { explain } from "#cli/explain/explain";
import type { ExplainRequest, Explanation } from "#cli/explain/explanation";
import { printExplanation } from "#cli/explain/print-explanation";
import { inReadOnly } from "#cli/explain/run-explain";
import { defaultPlaces } from "#generator/diagnostics/command";
import { readDefinition } from "#generator/pipeline/generate";
import type { Service } from "#runtime/index";
import { type Person, people, rows } from "../../../examples/tracker/test/tracker-rows.ts";
import { anyService, type TestService } from "../../support/any-service.ts";

const root = resolve(import.meta.dirname, "..", "..", "..", "examples", "tracker");

/** A request without flags. */
export const bare: ExplainRequest = {
  ...{ subject: null, as: "guest", query: null, where: null, data: null, id: null, graphql: null },
  ...{ sql: false, plan: false, analyze: false, json: false },
};

export interface ExplainedTracker {
  readonly service: TestService;
  readonly asked: (request: Partial<ExplainRequest>) => Promise<Explanation>;
  readonly printed: (request: Partial<ExplainRequest>) => Promise<string>;
}

/** The tracker with the rows of its tests. */
export async function explainedTracker(): Promise<ExplainedTracker> {
  const { service }: { service: Service } = await import(join(root, "generated", "index.ts"));
  const { definition, sources } = await readDefinition({ root, ...defaultPlaces });
  if (definition === null) throw new Error("the models are invalid");
  const served = await anyService(service);
  await served.store(rows);
  const asked = (request: Partial<ExplainRequest>) =>
    inReadOnly(served.pool, (connection) =>
      explain({ definition, sources, service, connection }, { ...bare, ...request }),
    );
  return { service: served, asked, printed: async (request) => printExplanation(await asked(request)) };
}

/** `--as` for a person of the tracker's tests. */
export function asPerson(person: Person): string {
  const caller = people[person];
  return caller === null ? "guest" : `user:${caller.sub}`;
}
