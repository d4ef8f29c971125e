import type { ModelDefinition } from "../../definition/definition.ts";
import type { Import } from "../file.ts";
import { camelCase } from "../typescript-names.ts";

/** An internal model as `templates/index.hbs` prints it: names of imports. */
export interface InternalModelView {
  readonly model: string;
  readonly policy: string;
  readonly validators: string;
  /** Its hooks, which code of one's own has run; null where it has none. */
  readonly hooks: string | null;
}

interface InternalModel {
  readonly view: InternalModelView;
  /** The hook file, which stands before the other imports. */
  readonly first: readonly Import[];
  readonly imports: readonly Import[];
  /** What comes from the door `kirak/hooks`. */
  readonly names: readonly string[];
}

/** An internal model in `index.ts`: it has no routes to be imported with. */
export function internalModelOf(
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
