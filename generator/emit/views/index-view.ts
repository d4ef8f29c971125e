import type { ModelDefinition, ServiceDefinition } from "../../definition/definition.ts";
import { GeneratorBug } from "../../diagnostics/bug.ts";
import { door, type Import } from "../file.ts";
import { stringLiteral } from "../literal.ts";
import { camelCase, identifiers } from "../typescript-names.ts";
import { type AccountsView, accountsOf, hookTypes } from "./accounts-view.ts";
import { type GraphqlView, graphqlOf } from "./graphql-hooks-view.ts";

/** What `templates/index.hbs` prints: everything that is served, in declared order. */
export interface IndexView {
  readonly imports: readonly Import[];
  readonly name: string;
  /** Names of the imported routes. */
  readonly models: readonly string[];
  readonly internalModels: readonly InternalModelView[];
  readonly accounts: AccountsView;
  readonly graphql: GraphqlView;
}

interface InternalModelView {
  readonly model: string;
  readonly policy: string;
}

/** Names that no import may have. */
const taken = ["defineAuthHooks", "defineGraphqlHooks", "defineService", "service", "URL"];

/** The view of `index.ts`. */
export function indexView(definition: ServiceDefinition): IndexView {
  const nameOf = identifiers(taken, "model");
  const models: string[] = [];
  const internalModels: InternalModelView[] = [];
  const imports: Import[] = [];
  const accounts = definition.models.filter(isEmitted).flatMap((model) => {
    const name = nameOf(camelCase(model.key));
    if (hasRoutes(model)) {
      imports.push({ from: `./models/${model.key}/routes.ts`, names: [`routes as ${name}`] });
      models.push(name);
      return [];
    }
    const policy = nameOf(`${name}Policy`);
    imports.push({
      from: `./models/${model.key}/model.ts`,
      names: [`model as ${name}`, ...hookTypes(model)],
    });
    imports.push({ from: `./models/${model.key}/policy.ts`, names: [`policy as ${policy}`] });
    internalModels.push({ model: name, policy });
    return model.builtIn === null ? [] : accountsOf(model, name, nameOf);
  });
  const [users] = accounts;
  if (users === undefined) throw new GeneratorBug("the built-in models are missing");
  const graphql = graphqlOf(definition.graphqlHooks, nameOf);
  const own = { from: door(), names: ["defineService"] };
  const names = [...users.names, ...graphql.names];
  const hooks = names.length === 0 ? [] : [{ from: door("hooks"), names }];
  return {
    imports: [own, ...hooks, ...users.first, ...graphql.first, ...imports, ...users.imports],
    name: stringLiteral(definition.name),
    models,
    internalModels,
    accounts: users.view,
    graphql: graphql.view,
  };
}

/** Whether a model has a folder: of a private table the migrations say all. */
export function isEmitted({ builtIn }: ModelDefinition): boolean {
  return builtIn !== "private";
}

/** Whether a model has routes of its own. */
export function hasRoutes(model: ModelDefinition): boolean {
  return !model.internal;
}
