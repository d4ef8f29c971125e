import type { ModelDefinition, ServiceDefinition } from "../../definition/definition.ts";
import { door, type Import } from "../file.ts";
import { stringLiteral } from "../literal.ts";
import { camelCase, identifiers } from "../names.ts";

/** What `templates/index.hbs` prints: everything that is served, in declared order. */
export interface IndexView {
  readonly imports: readonly Import[];
  readonly name: string;
  /** Names of the imported routes. */
  readonly models: readonly string[];
  readonly internalModels: readonly InternalModelView[];
  readonly accounts: AccountsView;
}

interface InternalModelView {
  readonly model: string;
  readonly policy: string;
}

/** Properties of what the account routes work with, such as `hooks: {}`. */
interface AccountsView {
  readonly users: string;
  readonly validators: string;
  readonly hooks: string;
}

/** The view of `index.ts`. */
export function indexView(definition: ServiceDefinition): IndexView {
  const nameOf = identifiers(["defineAuthHooks", "defineService", "service", "URL"], "model");
  const models: string[] = [];
  const internalModels: InternalModelView[] = [];
  const imports: Import[] = [{ from: "runtime/index.ts", names: ["defineService"] }];
  let accounts: AccountsView | null = null;
  for (const model of definition.models.filter(isEmitted)) {
    const name = nameOf(camelCase(model.key));
    if (hasRoutes(model)) {
      imports.push({ from: `./models/${model.key}/routes.ts`, names: [`routes as ${name}`] });
      models.push(name);
    } else {
      const policy = nameOf(`${name}Policy`);
      imports.push({
        from: `./models/${model.key}/model.ts`,
        names: [`model as ${name}`, ...hookTypes(model)],
      });
      imports.push({ from: `./models/${model.key}/policy.ts`, names: [`policy as ${policy}`] });
      internalModels.push({ model: name, policy });
    }
    if (model.builtIn === "extensible") {
      const found = accountsOf(model, name, nameOf);
      imports.push(...found.imports);
      accounts = found.accounts;
    }
  }
  if (accounts === null) throw new Error("a service without accounts: the built-in models are missing");
  return { imports, name: stringLiteral(definition.name), models, internalModels, accounts };
}

function accountsOf(model: ModelDefinition, users: string, nameOf: (candidate: string) => string) {
  const validators = nameOf(`${users}Validators`);
  const hooks = nameOf("authHooks");
  const imports: Import[] = [
    { from: `./models/${model.key}/validators.ts`, names: [`validators as ${validators}`] },
  ];
  if (model.hooks !== null) {
    imports.push({ from: model.hooks.file, namespace: hooks });
    imports.push({ from: door("model"), names: ["defineAuthHooks"] });
  }
  const typed = hookTypes(model).map((type) => type.replace("type ", ""));
  const accounts: AccountsView = {
    users: users === "users" ? users : `users: ${users}`,
    validators: `validators: ${validators}`,
    hooks: model.hooks === null ? "hooks: {}" : `hooks: defineAuthHooks<${typed}>()(${hooks})`,
  };
  return { imports, accounts };
}

/** The type that ties `hooks/auth.ts` to the accounts, where there is such a file. */
function hookTypes({ builtIn, typeName, hooks }: ModelDefinition): string[] {
  return builtIn === "extensible" && hooks !== null ? [`type ${typeName}AuthHooks`] : [];
}

/** Whether a model has a folder: of a private table the migrations say all. */
export function isEmitted({ builtIn }: ModelDefinition): boolean {
  return builtIn !== "private";
}

/** Whether a model has routes of its own. */
export function hasRoutes(model: ModelDefinition): boolean {
  return !model.internal;
}
