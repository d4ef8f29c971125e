import type { ModelDefinition } from "../../definition/definition.ts";
import { door, type Import } from "../file.ts";
import { addsColumns, extendsUsers } from "./users-extension.ts";
import { opensUsers } from "./users-view.ts";

interface Accounts {
  /** What the app adds: properties as `templates/index.hbs` prints them, such as `policy: usersPolicy`. */
  readonly parts: readonly string[];
  /** The formatter keeps the first line of a file with the import after it, so that the hooks' own stands there. */
  readonly first: readonly Import[];
  readonly imports: readonly Import[];
  /** What comes from the door `kirak/hooks`. */
  readonly names: readonly string[];
}

const hooksType = "UsersAuthHooks";

/** The accounts of `index.ts`. */
export function accountsOf(model: ModelDefinition, nameOf: (candidate: string) => string): Accounts {
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
  const from = extendsUsers(model) ? `./models/${model.key}/model.ts` : door("users");
  return {
    parts: [...properties, `hooks: defineAuthHooks<${hooksType}>()(${hooks})`],
    first: [{ from: model.hooks.file, namespace: hooks }],
    imports: [{ from, names: [hooksType], typeOnly: true }, ...imports],
    names: ["defineAuthHooks"],
  };
}
