import type { ModelDefinition, ServiceDefinition } from "../../definition/definition.ts";
import type { Import } from "../file.ts";
import { stringLiteral } from "../literal.ts";
import { camelCase, identifiers } from "../names.ts";

/** What `templates/index.hbs` prints: everything that is served, in declared order. */
export interface IndexView {
  readonly imports: readonly Import[];
  readonly name: string;
  /** Names of the imported routes. */
  readonly models: readonly string[];
  readonly internalModels: readonly InternalModelView[];
}

interface InternalModelView {
  readonly model: string;
  readonly policy: string;
}

/** The view of `index.ts`. */
export function indexView(definition: ServiceDefinition): IndexView {
  const nameOf = identifiers(["defineService", "service", "URL"], "model");
  const models: string[] = [];
  const internalModels: InternalModelView[] = [];
  const imports: Import[] = [];
  for (const { key, internal } of definition.models) {
    const name = nameOf(camelCase(key));
    if (internal) {
      const policy = nameOf(`${name}Policy`);
      imports.push({ from: `./models/${key}/model.ts`, names: [`model as ${name}`] });
      imports.push({ from: `./models/${key}/policy.ts`, names: [`policy as ${policy}`] });
      internalModels.push({ model: name, policy });
    } else {
      imports.push({ from: `./models/${key}/routes.ts`, names: [`routes as ${name}`] });
      models.push(name);
    }
  }
  return {
    imports: [{ from: "runtime/index.ts", names: ["defineService"] }, ...imports],
    name: stringLiteral(definition.name),
    models,
    internalModels,
  };
}

/** Whether a model has routes of its own. */
export function hasRoutes(model: ModelDefinition): boolean {
  return !model.internal;
}
