import { posix } from "node:path";
import type { HooksDefinition, ModelDefinition, ServiceDefinition } from "../../definition/definition.ts";
import { GeneratorBug } from "../../diagnostics/stop.ts";
import type { MigrationPlan } from "../../migrations/plan.ts";
import { type Import, importFromKirak } from "../file.ts";
import { literal, propertyName, stringLiteral } from "../literal.ts";
import { camelCase, identifiers } from "../typescript-names.ts";
import { hasRoutes } from "./operations-view.ts";
import { addsColumns, extendsUsers } from "./users-extension.ts";
import { opensUsers } from "./users-view.ts";

interface Accounts {
  /** The app's extension as printed properties, such as `policy: usersPolicy`. */
  readonly parts: readonly string[];
  /** Imports of hook files come first: the formatter keeps the first line of a file with the import after it. */
  readonly first: readonly Import[];
  readonly imports: readonly Import[];
  /** Imports from the public export `kirak/hooks`. */
  readonly names: readonly string[];
}

const hooksType = "UsersAuthHooks";

/** The `users` part of `index.ts`. */
function accountsOf(model: ModelDefinition, nameOf: (candidate: string) => string): Accounts {
  const part = (file: string, exported: string, candidate: string, property: string): [Import, string] => {
    const name = nameOf(candidate);
    const from = `./models/${model.key}/${file}`;
    return [
      { from, names: [`${exported} as ${name}`] },
      name === property ? property : `${property}: ${name}`,
    ];
  };
  const parts = [
    ...(extendsUsers(model) ? [part("model.ts", "model", "users", "users")] : []),
    ...(opensUsers(model) ? [part("policy.ts", "policy", "usersPolicy", "policy")] : []),
    ...(addsColumns(model) ? [part("validators.ts", "validators", "usersValidators", "validators")] : []),
  ];
  const [imports, properties] = [parts.map(([entry]) => entry), parts.map(([, property]) => property)];
  if (model.hooks === null) return { parts: properties, first: [], imports, names: [] };
  const hooks = nameOf("authHooks");
  const from = extendsUsers(model) ? `./models/${model.key}/model.ts` : importFromKirak("users");
  return {
    parts: [...properties, `hooks: defineAuthHooks<${hooksType}>()(${hooks})`],
    first: [{ from: model.hooks.file, namespace: hooks }],
    imports: [{ from, names: [hooksType], typeOnly: true }, ...imports],
    names: ["defineAuthHooks"],
  };
}

/** The view of `templates/index.hbs`: all models, routes, jobs and mails, in declared order. */
export interface IndexView {
  readonly imports: readonly Import[];
  readonly name: string;
  /** Without migrations the build has no folder for them. */
  readonly hasMigrations: boolean;
  /** Names of the imported routes. */
  readonly models: readonly string[];
  readonly internalModels: readonly InternalModelView[];
  /** The app's extension of `users`, as properties. */
  readonly accounts: readonly string[];
  readonly graphql: GraphqlView;
  /** Custom errors, as properties; null if there are none. */
  readonly errors: readonly string[] | null;
  /** Names of the imported custom routes; null if there are none. */
  readonly routes: readonly string[] | null;
  /** Jobs, as properties; null if there are none. */
  readonly jobs: readonly string[] | null;
  /** Names of the templates of custom mails; null if there are none. */
  readonly mails: readonly string[] | null;
  /** Whether to print `usesQueue`. Not needed with jobs or mails, which imply a queue. */
  readonly usesQueue: boolean;
  /** Whether the app's code has `context.kysely`. */
  readonly kysely: boolean;
}

/** Names that imports cannot have. */
const taken = ["defineAuthHooks", "defineGraphqlHooks", "defineHooks", "defineService", "service", "URL"];

/** The view of `index.ts`. */
export function indexView(
  definition: ServiceDefinition,
  { history, customLinks }: Pick<MigrationPlan, "history" | "customLinks">,
): IndexView {
  const nameOf = identifiers(definition.kysely ? [...taken, "makeKysely"] : taken, "model");
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
  const own = { from: importFromKirak(), names: ["defineService"] };
  const defining = internal.flatMap(({ names }) => names);
  const names = [...new Set([...accounts.names, ...graphql.names, ...defining])];
  const hooks = names.length === 0 ? [] : [{ from: importFromKirak("hooks"), names }];
  return {
    imports: [
      own,
      ...hooks,
      ...(definition.kysely ? [{ from: importFromKirak("kysely"), names: ["makeKysely"] }] : []),
      ...code,
      ...routed,
      ...internal.flatMap(({ imports }) => imports),
      ...accounts.imports,
    ],
    name: stringLiteral(definition.name),
    hasMigrations: history.length + customLinks.length > 0,
    models,
    internalModels: internal.map(({ view }) => view),
    accounts: accounts.parts,
    graphql: graphql.view,
    errors: errorsOf(definition),
    routes: routes.length === 0 ? null : routes.map(({ main }) => main),
    jobs: jobs.properties,
    kysely: definition.kysely,
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

/** A file can have several routes. */
function routesOf({ routes }: ServiceDefinition, nameOf: (candidate: string) => string) {
  const files = [...new Set(routes.map(({ file }) => file))];
  return files.map((from) => ({ from, main: nameOf(camelCase(`${posix.basename(from, ".ts")}_routes`)) }));
}

function errorsOf({ errors }: ServiceDefinition): readonly string[] | null {
  if (errors.length === 0) return null;
  return errors.map(({ code, ...declared }) => `${code}: ${literal(declared)}`);
}

/** The GraphQL part of `index.ts`, as a printed property: `hooks: {}`. */
interface GraphqlView {
  readonly hooks: string;
}

interface Graphql {
  readonly view: GraphqlView;
  /** The hook file, which is before the other imports. */
  readonly first: readonly Import[];
  /** Imports from the public export `kirak/hooks`. */
  readonly names: readonly string[];
}

/** The GraphQL hooks of `index.ts`. */
function graphqlOf(hooks: HooksDefinition | null, nameOf: (candidate: string) => string): Graphql {
  if (hooks === null) return { view: { hooks: "hooks: {}" }, first: [], names: [] };
  const name = nameOf("graphqlHooks");
  return {
    view: { hooks: `hooks: defineGraphqlHooks(${name})` },
    first: [{ from: hooks.file, namespace: name }],
    names: ["defineGraphqlHooks"],
  };
}

/** An internal model as `templates/index.hbs` prints it: names of imports. */
interface InternalModelView {
  readonly model: string;
  readonly policy: string;
  readonly validators: string;
  /** Its hooks, which run when app code uses the model; null if there are none. */
  readonly hooks: string | null;
}

interface InternalModel {
  readonly view: InternalModelView;
  /** The hook file, which is before the other imports. */
  readonly first: readonly Import[];
  readonly imports: readonly Import[];
  /** Imports from the public export `kirak/hooks`. */
  readonly names: readonly string[];
}

/** An internal model in `index.ts`. It has no file of routes that imports its other files. */
function internalModelOf(
  { key, typeName, hooks }: ModelDefinition,
  nameOf: (candidate: string) => string,
): InternalModel {
  const model = nameOf(camelCase(key));
  const [policy, validators] = [nameOf(`${model}Policy`), nameOf(`${model}Validators`)];
  const folder = `./models/${key}`;
  const parts = [
    { from: `${folder}/policy.ts`, names: [`policy as ${policy}`] },
    { from: `${folder}/validators.ts`, names: [`validators as ${validators}`] },
  ];
  const view = { model, policy, validators, hooks: null };
  const whole = { from: `${folder}/model.ts`, names: [`model as ${model}`] };
  if (hooks === null) return { view, first: [], imports: [whole, ...parts], names: [] };
  const [hookFile, type] = [nameOf(`${model}HookFile`), nameOf(`${typeName}Hooks`)];
  const exported = type === `${typeName}Hooks` ? type : `${typeName}Hooks as ${type}`;
  return {
    view: { ...view, hooks: `defineHooks<${type}>()(${hookFile})` },
    first: [{ from: hooks.file, namespace: hookFile }],
    imports: [{ ...whole, names: [`type ${exported}`, ...whole.names] }, ...parts],
    names: ["defineHooks"],
  };
}
