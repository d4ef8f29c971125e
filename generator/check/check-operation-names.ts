import { documentedMethods } from "../../vocabulary/openapi/document.ts";
import { operations } from "../../vocabulary/operations.ts";
import type { ServiceDefinition } from "../definition/definition.ts";
import type { ReportDiagnostic, SourceSpan } from "../diagnostics/index.ts";
import { openApiDocument } from "../emit/openapi/document.ts";
import type { RawRoute } from "../load/raw.ts";

/** The owner of an operationId. */
interface NamedPlace {
  readonly what: string;
  /** Null for a route that is not in a file of the app. */
  readonly at: SourceSpan | null;
}

/**
 * Checks that the declared names of custom routes are those of no other operation, in any case. A derived name that is taken gets a
 * number instead.
 */
export function checkOperationNames(
  definition: ServiceDefinition | null,
  routes: readonly RawRoute[],
  report: ReportDiagnostic,
): void {
  if (definition === null || routes.every(({ name }) => name === null)) return;
  const taken = otherNames(definition);
  for (const { name, method, path } of routes) {
    if (name === null) continue;
    const what = `${method.value} ${path.value}`;
    const other = taken.get(name.value.toLowerCase());
    if (other === undefined) taken.set(name.value.toLowerCase(), { what, at: name.at });
    else {
      const message = `the name ${JSON.stringify(name.value)} of ${what} is also the name of ${other.what}`;
      report(
        "operation-name-taken",
        name.at,
        message,
        "choose another name",
        other.at === null ? [] : [other.at],
      );
    }
  }
}

/** The operations that are not custom routes, by name in lower case. Those of models count even if no role reaches them yet. */
function otherNames(definition: ServiceDefinition): Map<string, NamedPlace> {
  const { paths } = openApiDocument({ ...definition, models: [], routes: [] });
  const places = Object.entries(paths).flatMap(([path, item]) =>
    documentedMethods.flatMap((method) => {
      const operation = item[method];
      const what = `${method.toUpperCase()} ${path}`;
      return operation === undefined ? [] : [{ name: operation.operationId, what }];
    }),
  );
  const exposed = definition.models.filter(({ internal }) => !internal);
  const ofModels = exposed.flatMap(({ key, typeName }) =>
    operations.map((operation) => ({ name: operation + typeName, what: `${operation} of model "${key}"` })),
  );
  return new Map([...places, ...ofModels].map(({ name, what }) => [name.toLowerCase(), { what, at: null }]));
}
