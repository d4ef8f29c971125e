import { segmentsOf } from "../../../vocabulary/custom-routes.ts";
import { decodeSegments } from "../../core/http/index.ts";

/** What a path leads to: routes by their methods, and the texts that stand for the names on the way, in order. */
export interface FoundPath<Route> {
  readonly routes: ReadonlyMap<string, Route>;
  readonly texts: readonly string[];
}

interface Branch<Route> {
  readonly texts: Map<string, Branch<Route>>;
  /** Where any text may stand. */
  named: Branch<Route> | null;
  readonly routes: Map<string, Route>;
}

/** Routes by their paths. To find one takes a step for each segment, however many routes there are. */
export class RouteTree<Route extends { readonly method: string; readonly path: string }> {
  readonly #root: Branch<Route> = branch();
  #depth = 0;

  constructor(routes: readonly Route[]) {
    for (const route of routes) this.#add(route);
  }

  #add(route: Route): void {
    const segments = segmentsOf(route.path);
    this.#depth = Math.max(this.#depth, segments.length);
    let at = this.#root;
    for (const segment of segments) {
      if ("name" in segment) {
        at.named ??= branch();
        at = at.named;
        continue;
      }
      const next = at.texts.get(segment.text) ?? branch();
      at.texts.set(segment.text, next);
      at = next;
    }
    at.routes.set(route.method, route);
  }

  /** Where a path of a request leads; null where nothing is, as where it cannot be decoded. */
  find(path: string): FoundPath<Route> | null {
    const segments = path.slice(1).split("/", this.#depth + 1);
    const texts = segments.length > this.#depth ? null : decodeSegments(segments);
    return texts === null ? null : walk(this.#root, texts, 0, []);
  }
}

function branch<Route>(): Branch<Route> {
  return { texts: new Map(), named: null, routes: new Map() };
}

/** A text goes before a name, and where it leads nowhere the name is tried: paths may part again further on. */
function walk<Route>(
  at: Branch<Route>,
  segments: readonly string[],
  index: number,
  texts: readonly string[],
): FoundPath<Route> | null {
  const segment = segments[index];
  if (segment === undefined) return at.routes.size === 0 ? null : { routes: at.routes, texts };
  if (segment === "") return null;
  const next = at.texts.get(segment);
  const found = next === undefined ? null : walk(next, segments, index + 1, texts);
  if (found !== null || at.named === null) return found;
  return walk(at.named, segments, index + 1, [...texts, segment]);
}
