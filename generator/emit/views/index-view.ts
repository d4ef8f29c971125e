import { posix } from "node:path";
import type { ServiceDefinition } from "../../definition/definition.ts";
import { GeneratorBug } from "../../diagnostics/bug.ts";
import type { MigrationPlan } from "../../migrations/plan.ts";
import { door, type Import } from "../file.ts";
import { literal, propertyName, stringLiteral } from "../literal.ts";
import { camelCase, identifiers } from "../typescript-names.ts";
import { accountsOf } from "./accounts-view.ts";
import { type GraphqlView, graphqlOf } from "./graphql-hooks-view.ts";
import { type InternalModelView, internalModelOf } from "./internal-models-view.ts";
import { hasRoutes } from "./operations-view.ts";

/** What `templates/index.hbs` prints: everything that is served, in declared order. */
export interface IndexView {
  readonly imports: readonly Import[];
  readonly name: string;
  /** A build of a folder without migrations does not have the folder. */
  readonly hasMigrations: boolean;
  /** Names of the imported routes. */
  readonly models: readonly string[];
  readonly internalModels: readonly InternalModelView[];
  /** What the app adds to the accounts, as properties. */
  readonly accounts: readonly string[];
  readonly graphql: GraphqlView;
  /** The app's own errors, as properties; null where it has none. */
  readonly errors: readonly string[] | null;
  /** Names of the imported routes of the app's own; null where it has none. */
  readonly routes: readonly string[] | null;
  /** Jobs, as properties; null where it has none. */
  readonly jobs: readonly string[] | null;
  /** Names of the templates of the app's own mails; null where it has none. */
  readonly mails: readonly string[] | null;
  /** Whether to say that there is a queue: jobs and mails say so themselves. */
  readonly usesQueue: boolean;
}

/** Names that no import may have. */
const taken = ["defineAuthHooks", "defineGraphqlHooks", "defineHooks", "defineService", "service", "URL"];

/** The view of `index.ts`. */
export function indexView(
  definition: ServiceDefinition,
  { history, own: ownMigrations }: Pick<MigrationPlan, "history" | "own">,
): IndexView {
  const nameOf = identifiers(taken, "model");
  const models: string[] = [];
  const routed: Import[] = [];
  const internal: ReturnType<typeof internalModelOf>[] = [];
  for (const model of definition.models.filter(({ builtIn }) => !builtIn)) {
    if (hasRoutes(model)) {
      const name = nameOf(camelCase(model.key));
      routed.push({ from: `./models/${model.key}/routes.ts`, names: [`routes as ${name}`] });
      models.push(name);
    } else internal.push(internalModelOf(model, nameOf));
  }
  const users = definition.models.find(({ builtIn }) => builtIn);
  if (users === undefined) throw new GeneratorBug("the built-in model is missing");
  const accounts = accountsOf(users, nameOf);
  const graphql = graphqlOf(definition.graphqlHooks, nameOf);
  const routes = routesOf(definition, nameOf);
  const jobs = jobsOf(definition, nameOf);
  const hookFiles = [...accounts.first, ...graphql.first, ...internal.flatMap(({ first }) => first)];
  const code = [...hookFiles, ...routes, ...jobs.imports];
  const own = { from: door(), names: ["defineService"] };
  const defining = internal.flatMap(({ names }) => names);
  const names = [...new Set([...accounts.names, ...graphql.names, ...defining])];
  const hooks = names.length === 0 ? [] : [{ from: door("hooks"), names }];
  return {
    imports: [
      own,
      ...hooks,
      ...code,
      ...routed,
      ...internal.flatMap(({ imports }) => imports),
      ...accounts.imports,
    ],
    name: stringLiteral(definition.name),
    hasMigrations: history.length + ownMigrations.length > 0,
    models,
    internalModels: internal.map(({ view }) => view),
    accounts: accounts.parts,
    graphql: graphql.view,
    errors: errorsOf(definition),
    routes: routes.length === 0 ? null : routes.map(({ main }) => main),
    jobs: jobs.properties,
    usesQueue: definition.usesQueue && definition.jobs.length + definition.mails.length === 0,
    mails: definition.mails.length === 0 ? null : definition.mails.map(({ name }) => stringLiteral(name)),
  };
}

function jobsOf({ jobs }: ServiceDefinition, nameOf: (candidate: string) => string) {
  const named = jobs.map((job) => ({
    ...job,
    main: nameOf(camelCase(`${job.name}_job`.replaceAll("-", "_"))),
  }));
  return {
    imports: named.map(({ file, main }) => ({ from: file, main })),
    properties: jobs.length === 0 ? null : named.map(({ name, main }) => `${propertyName(name)}: ${main}`),
  };
}

/** A file may have several routes. */
function routesOf({ routes }: ServiceDefinition, nameOf: (candidate: string) => string) {
  const files = [...new Set(routes.map(({ file }) => file))];
  return files.map((from) => ({ from, main: nameOf(camelCase(`${posix.basename(from, ".ts")}_routes`)) }));
}

function errorsOf({ errors }: ServiceDefinition): readonly string[] | null {
  if (errors.length === 0) return null;
  return errors.map(({ code, ...declared }) => `${code}: ${literal(declared)}`);
}
