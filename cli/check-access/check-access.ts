import { resolve } from "node:path";
import { pino } from "pino";
import type { ModelDefinition, ServiceDefinition } from "#generator/definition/definition";
import { defaultPlaces } from "#generator/diagnostics/command";
import { renderDiagnostics } from "#generator/diagnostics/index";
import { readDefinition } from "#generator/pipeline/generate";
import { createDatabase, type Database } from "#runtime/core/database/index";
import type { Service } from "#runtime/server/service";
import type { TestOptions, TestService } from "#runtime/testing/index";
import { didYouMean } from "#vocabulary/nearest";
import { operations } from "#vocabulary/operations";
import { type AccessCheck, type RuleRow, rowsKey } from "./access-check.ts";
import { coveredRules, forgottenTenants } from "./access-findings.ts";
import {
  type AccessCell,
  type AccessOptions,
  type AccessReport,
  countOf,
  emptyReport,
  mutating,
  outcomes,
} from "./access-report.ts";
import { callersOf, callersOfRows, makeCallers, rolesToAsk } from "./check-callers.ts";
import { Expectations } from "./expectations.ts";
import { installJournal } from "./journal.ts";
import { makeRows } from "./make-rows.ts";
import { ruledOperations } from "./model-access.ts";
import { askJoins } from "./questions/ask-joins.ts";
import { askReads, askSearchTexts } from "./questions/ask-reads.ts";
import { askRoutes } from "./questions/ask-routes.ts";
import { askWrites } from "./questions/ask-writes.ts";
import { askClosedFields, askUniqueConflicts } from "./questions/closed-fields.ts";
import { refuseOutgoing } from "./refuse-outgoing.ts";
import { readStored, type Stored } from "./table-rows.ts";
import { cellsNotTried, withoutViews } from "./untried-models.ts";
import { type WatchedHooks, watchHooks } from "./watch-hooks.ts";
import { sampleValue, uuidOf, type Witness, witnessWorld } from "./witnesses/index.ts";

/** A wrong option, or models that cannot be read. */
export class AccessCheckError extends Error {}

/** Starts a service on a database of its own. The caller passes it, because a test runner can load its module in another way. */
export type StartService = (service: Service, options: TestOptions) => Promise<TestService>;

/** Starts the service, makes rows, asks all questions, and reports. Throws an `AccessCheckError` for wrong options. */
export async function runAccessCheck(
  app: Service,
  options: AccessOptions,
  start: StartService,
): Promise<AccessReport> {
  if (process.env[mutating] === "1") return emptyReport;
  const root = resolve(options.root ?? ".");
  const definition = await definitionAt(root);
  const parts = chosenParts(definition, options);
  const { databaseUrl, keptDatabase } = options;
  const hooks = watchHooks(app);
  const service = await start(hooks.app, {
    root,
    ...(databaseUrl !== undefined && { databaseUrl }),
    ...(keptDatabase !== undefined && { keptDatabase }),
  });
  const outgoing = refuseOutgoing(service.url);
  const database = createDatabase({
    url: service.database.url,
    maxConnections: 1,
    log: pino({ level: "silent" }),
  });
  try {
    return await checkService({ hooks, definition, service, database, ...parts }, options.seed ?? 1);
  } finally {
    outgoing.restore();
    await database.close();
    await service.stop();
  }
}

/** The definition of the app in a folder. Throws an `AccessCheckError` for invalid models. */
export async function definitionAt(root: string): Promise<ServiceDefinition> {
  const { definition, diagnostics, sources } = await readDefinition({
    root,
    ...defaultPlaces,
    schemas: false,
  });
  if (definition === null) throw new AccessCheckError(renderDiagnostics(diagnostics, sources));
  return definition;
}

/** What a run asks about. */
interface Parts {
  readonly models: readonly ModelDefinition[];
  readonly roles: readonly string[];
  readonly operations: ReadonlySet<string>;
}

/** The parts of the check that the options choose. Throws an `AccessCheckError` for unknown names. */
export function chosenParts(definition: ServiceDefinition, options: AccessOptions): Parts {
  const { models = [], roles = [], operations: asked = [] } = options;
  const routed = definition.models.filter(({ internal, builtIn }) => !internal && !builtIn);
  const keys = routed.map(({ key }) => key);
  const known = { model: keys, role: rolesToAsk(definition, []), operation: operations };
  const given = { model: models, role: roles, operation: asked };
  for (const kind of ["model", "role", "operation"] as const) {
    const wrong = given[kind].find((name) => !known[kind].some((one) => one === name));
    if (wrong === undefined) continue;
    if (kind === "model" && definition.models.some(({ key }) => key === wrong))
      throw new AccessCheckError(`the model "${wrong}" has no routes of models, so there is nothing to ask`);
    const hint = didYouMean(wrong, known[kind]) ?? `known: ${known[kind].join(", ")}`;
    throw new AccessCheckError(`the models have no ${kind} "${wrong}"; ${hint}`);
  }
  return {
    models: routed.filter(({ key }) => models.length === 0 || models.includes(key)),
    roles: rolesToAsk(definition, roles),
    operations: new Set(asked.length === 0 ? operations : asked),
  };
}

interface Started extends Parts {
  readonly hooks: WatchedHooks;
  readonly definition: ServiceDefinition;
  readonly service: TestService;
  readonly database: Database;
}

async function checkService(started: Started, seed: number): Promise<AccessReport> {
  const { hooks, service, database, roles, operations: asked } = started;
  const definition = withoutViews(started.definition);
  const models = started.models.filter((model) => definition.models.includes(model));
  const others = started.models.filter((model) => !definition.models.includes(model));
  const callers = await makeCallers(service, roles);
  const world = witnessWorld(database, definition, seed);
  const made = await makeRows(world, models, callers, (operation) => asked.has(operation));
  const stored = await readStored(database, world.models);
  const all = callersOfRows(service, callers, [...made.rows.values()].flat());
  const cells: AccessCell[] = [...made.missing, ...others.flatMap(cellsNotTried)];
  const check: AccessCheck = {
    ...{ definition, hooks, service, callers, stored, operations: asked },
    expectations: new Expectations(world.models, database),
    journal: await installJournal(service.database, world.models),
    rows: new Map([...made.rows].map(([key, rows]) => [key, ruleRows(rows, stored, all)])),
    add: (cell) => void cells.push(cell),
    sample: (field) => sampleValue(field, world),
    newUuid: () => uuidOf(world),
  };
  for (const model of models) {
    const asking = { ...check, callers: callersOf(model, callers) };
    for (const questions of allQuestions) await questions(asking, model);
    // Callers that were made for rows of a model ask only about this model.
    const rows = ruledOperations.flatMap((ruled) => check.rows.get(rowsKey(model, ruled)) ?? []);
    const names = new Set(rows.map(({ caller }) => caller));
    const ofRows = [...all.values()].filter((caller) => !callers.includes(caller) && names.has(caller.name));
    for (const questions of [askReads, askWrites]) await questions({ ...check, callers: ofRows }, model);
  }
  return {
    cells,
    dead: made.dead,
    covered: coveredRules(definition, models),
    forgets_tenant: forgottenTenants(definition, models),
    not_covered_by_rules: await askRoutes(check),
    passed: countOf(cells, outcomes.passed),
    failed: countOf(cells, outcomes.failed),
    not_tried: countOf(cells, outcomes.notTried),
  };
}

const allQuestions = [askReads, askSearchTexts, askJoins, askWrites, askClosedFields, askUniqueConflicts];

function ruleRows(
  rows: readonly Witness[],
  stored: Stored,
  callers: ReturnType<typeof callersOfRows>,
): RuleRow[] {
  return rows.flatMap(({ model, id, data, caller }) => {
    const row = data === null ? stored.get(model)?.get(id) : { id, isDeleted: false, values: data };
    const name = callers.get(caller.user_id)?.name;
    return row === undefined || name === undefined ? [] : [{ row, caller: name }];
  });
}
