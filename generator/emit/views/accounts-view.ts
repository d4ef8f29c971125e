import type { ModelDefinition } from "../../definition/definition.ts";
import type { Import } from "../file.ts";

/** What the routes of accounts work with: properties as `templates/index.hbs` prints them, such as `hooks: {}`. */
export interface AccountsView {
  readonly users: string;
  readonly validators: string;
  readonly hooks: string;
}

interface Accounts {
  readonly view: AccountsView;
  /** The formatter keeps the first line of a file with the import after it, so that the hooks' own stands there. */
  readonly first: readonly Import[];
  readonly imports: readonly Import[];
  /** What comes from the door `kirak/hooks`. */
  readonly names: readonly string[];
}

/** The accounts of `index.ts`. `users` is the name of the imported model. */
export function accountsOf(
  model: ModelDefinition,
  users: string,
  nameOf: (candidate: string) => string,
): Accounts {
  const validators = nameOf(`${users}Validators`);
  const hooks = nameOf("authHooks");
  const from = `./models/${model.key}/validators.ts`;
  const imports: Import[] = [{ from, names: [`validators as ${validators}`] }];
  const view = {
    users: users === "users" ? users : `users: ${users}`,
    validators: `validators: ${validators}`,
  };
  if (model.hooks === null) return { view: { ...view, hooks: "hooks: {}" }, first: [], imports, names: [] };
  const typed = `defineAuthHooks<${hooksType(model)}>()(${hooks})`;
  return {
    view: { ...view, hooks: `hooks: ${typed}` },
    first: [{ from: model.hooks.file, namespace: hooks }],
    imports,
    names: ["defineAuthHooks"],
  };
}

/** The type that ties `hooks/auth.ts` to the accounts, for the import of their model where there is such a file. */
export function hookTypes(model: ModelDefinition): string[] {
  return model.builtIn === "extensible" && model.hooks !== null ? [`type ${hooksType(model)}`] : [];
}

function hooksType({ typeName }: ModelDefinition): string {
  return `${typeName}AuthHooks`;
}
