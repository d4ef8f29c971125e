import { join, resolve } from "node:path";
import { explainOperation } from "#cli/explain/explain";
import type { ExplainRequest, Explanation } from "#cli/explain/explanation";
import { printExplanation } from "#cli/explain/print-explanation";
import { inRolledBack } from "#cli/explain/run-explain";
import type { ExplainedApp } from "#cli/explain/subject";
import { defaultPlaces } from "#generator/diagnostics/command";
import { readDefinition } from "#generator/pipeline/generate";
import type { Service } from "#runtime/index";
import { type Person, people, rows } from "../../../examples/tracker/test/tracker-rows.ts";
import { anyService, type Rows, type TestService } from "../../support/any-service.ts";

const root = resolve(import.meta.dirname, "..", "..", "..", "examples", "tracker");

/** The service of the tracker. */
export const trackerFile = join(root, "generated", "index.ts");

/** A request without flags. */
export const bare: ExplainRequest = {
  ...{
    subject: null,
    as: "guest",
    query: null,
    where: null,
    data: null,
    id: null,
    graphql: null,
    variables: null,
  },
  ...{ sql: false, plan: false, analyze: false, json: false },
};

export interface ExplainedTracker {
  readonly service: TestService;
  readonly inApp: <Result>(work: (app: ExplainedApp) => Promise<Result>) => Promise<Result>;
  /** `setting`: a statement before it, in its transaction. */
  readonly asked: (request: Partial<ExplainRequest>, setting?: string) => Promise<Explanation>;
  readonly printed: (request: Partial<ExplainRequest>) => Promise<string>;
}

/** The tracker with the rows of its tests. */
export async function explainedTracker(): Promise<ExplainedTracker> {
  const { service }: { service: Service } = await import(trackerFile);
  return explainedService(service, { root, ...defaultPlaces }, rows);
}

/** A service with rows. Its 403s have the command that explains them. */
export async function explainedService(
  service: Service,
  places: Parameters<typeof readDefinition>[0],
  stored: Rows,
): Promise<ExplainedTracker> {
  const { definition, sources } = await readDefinition(places);
  if (definition === null) throw new Error("the models are invalid");
  const served = await anyService(service, {}, { explains: true });
  await served.store(stored);
  const inApp: ExplainedTracker["inApp"] = (work) =>
    inRolledBack(served.pool, (connection) => work({ definition, sources, service, connection }));
  const asked: ExplainedTracker["asked"] = (request, setting = "select 1") =>
    inApp(async (app) => {
      await app.connection.run({ name: null, text: setting }, []);
      return explainOperation(app, { ...bare, ...request });
    });
  const printed: ExplainedTracker["printed"] = async (request) => printExplanation(await asked(request));
  return { service: served, inApp, asked, printed };
}

/** `--as` for a person of the tracker's tests. */
export function asPerson(person: Person): string {
  const caller = people[person];
  return caller === null ? "guest" : `user:${caller.sub}`;
}
