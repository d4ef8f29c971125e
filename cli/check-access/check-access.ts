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
import type { AccessCheck } from "./access-check.ts";
import { coveredRules, forgottenTenants } from "./access-findings.ts";
import {
  type AccessCell,
  type AccessOptions,
  type AccessReport,
  countOf,
  outcomes,
} from "./access-report.ts";
import { askVariant, ruleRows, variantsOf } from "./caller-variants.ts";
import { callersOf, makeCallers, rolesToAsk } from "./check-callers.ts";
import { Expectations } from "./expectations.ts";
import { installJournal } from "./journal.ts";
import { makeRows } from "./make-rows.ts";
import { askJoins } from "./questions/ask-joins.ts";
import { askInternal, askReads, askSearchTexts } from "./questions/ask-reads.ts";
import { askRoutes } from "./questions/ask-routes.ts";
import { askWrites } from "./questions/ask-writes.ts";
import { askClosedFields, askUniqueConflicts } from "./questions/closed-fields.ts";
import { refuseOutgoing } from "./refuse-outgoing.ts";
import { readStored } from "./table-rows.ts";
import { type WatchedHooks, watchHooks } from "./watch-hooks.ts";
import { sampleValue, uuidOf, witnessWorld } from "./witnesses/index.ts";

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
    return await checkService({ app, hooks, definition, service, database, ...parts }, options.seed ?? 1);
  } finally {
    outgoing.restore();
    await database.close();
    await service.stop();
  }
}

/** The definition of the app in a folder. Throws an `AccessCheckError` for invalid models. */
export async function definitionAt(root: string): Promise<ServiceDefinition> {
  const { definition, diagnostics, sources } = await readDefinition({ root, ...defaultPlaces });
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
  requireKnown(
    "model",
    models,
    definition.models.map(({ key }) => key),
  );
  requireKnown("role", roles, rolesToAsk(definition, []));
  requireKnown("operation", asked, operations);
  return {
    models: definition.models.filter(({ key }) => models.length === 0 || models.includes(key)),
    roles: rolesToAsk(definition, roles),
    operations: new Set(asked.length === 0 ? operations : asked),
  };
}

function requireKnown(kind: string, given: readonly string[], known: readonly string[]): void {
  const wrong = given.find((name) => !known.includes(name));
  if (wrong === undefined) return;
  const hint = didYouMean(wrong, known) ?? `known: ${known.join(", ")}`;
  throw new AccessCheckError(`the models have no ${kind} "${wrong}"; ${hint}`);
}

interface Started extends Parts {
  readonly app: Service;
  readonly hooks: WatchedHooks;
  readonly definition: ServiceDefinition;
  readonly service: TestService;
  readonly database: Database;
}

async function checkService(started: Started, seed: number): Promise<AccessReport> {
  const { app, hooks, definition, service, database, models, roles, operations: asked } = started;
  const callers = await makeCallers(service, roles, {});
  const routed = models.filter(({ internal, builtIn }) => !internal && !builtIn);
  const world = witnessWorld(database, definition, seed);
  const made = await makeRows(world, routed, callers, (operation) => asked.has(operation));
  const stored = await readStored(service.database, definition.models);
  const cells: AccessCell[] = [...made.missing];
  const check: AccessCheck = {
    definition,
    app,
    hooks,
    service,
    callers,
    stored,
    operations: asked,
    expectations: new Expectations(definition, database),
    journal: await installJournal(
      service.database,
      definition.models.map(({ table }) => table),
    ),
    rows: ruleRows(made.rows, stored, null),
    add: (cell) => void cells.push(cell),
    sample: (field) => sampleValue(field, world),
    newUuid: () => uuidOf(world),
  };
  for (const model of models)
    if (routed.includes(model)) await askModel({ ...check, callers: callersOf(model, callers) }, model);
    else await askInternal({ ...check, callers: callersOf(model, callers) }, model);
  for (const variant of variantsOf(made.rows, callers)) await askVariant(check, made.rows, variant);
  return {
    cells,
    dead: made.dead,
    covered: coveredRules(definition, routed),
    forgets_tenant: forgottenTenants(definition, routed),
    not_covered_by_rules: await askRoutes(check),
    passed: countOf(cells, outcomes.passed),
    failed: countOf(cells, outcomes.failed),
    not_tried: countOf(cells, outcomes.notTried),
  };
}

async function askModel(check: AccessCheck, model: ModelDefinition): Promise<void> {
  await askReads(check, model);
  await askSearchTexts(check, model);
  await askJoins(check, model);
  await askWrites(check, model);
  await askClosedFields(check, model);
  await askUniqueConflicts(check, model);
}
