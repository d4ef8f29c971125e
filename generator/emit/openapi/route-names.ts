import { segmentsOf } from "../../../vocabulary/custom-routes.ts";
import type { RouteDefinition } from "../../definition/definition.ts";

/**
 * The operationIds of custom routes: the declared names, or names made of method and path, with a number if the name is taken in
 * any case. `taken` are the other operationIds of the document.
 */
export function routeOperationIds(
  routes: readonly RouteDefinition[],
  taken: Iterable<string>,
): ReadonlyMap<RouteDefinition, string> {
  const declared = routes.flatMap(({ name }) => name ?? []);
  const known = new Set([...taken, ...declared].map((name) => name.toLowerCase()));
  const free = (name: string) => {
    let found = name;
    for (let number = 2; known.has(found.toLowerCase()); number++) found = `${name}${number}`;
    known.add(found.toLowerCase());
    return found;
  };
  return new Map(routes.map((route) => [route, route.name ?? free(derivedName(route))]));
}

/** `postSlotsByIdBook` for `POST /slots/:id/book`. */
function derivedName({ method, path }: Pick<RouteDefinition, "method" | "path">): string {
  const words = segmentsOf(path).map((segment) =>
    "name" in segment ? `By${pascalCase(segment.name)}` : pascalCase(segment.text),
  );
  return [method.toLowerCase(), ...words].join("");
}

/** The words of a text, each with a capital: `OrdersCsv` for `orders.csv`. */
export function pascalCase(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/);
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}
