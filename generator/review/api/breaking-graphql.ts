import type { ApiModel, ApiSurface } from "../../emit/views/api-surface.ts";
import type { ModelPair } from "../access/model-pairs.ts";
import type { BreakingChange } from "./breaking-fields.ts";

/** The endpoint at another path, which the models tell: it stands beside them. */
export function endpointChange(before: ApiSurface, after: ApiSurface): BreakingChange[] {
  const [was, is] = [prefixOf(before), prefixOf(after)];
  if (was === undefined || is === undefined || was === is) return [];
  const change = `GraphQL is at ${is}/graphql, and was at ${was}/graphql`;
  return [{ change, notices: "every caller of it gets 404" }];
}

function prefixOf(surface: ApiSurface): string | undefined {
  const [path] = Object.values(surface.models).flatMap((model) =>
    model.operations.length === 0 ? [] : [model.path],
  );
  return path?.slice(0, path.lastIndexOf("/"));
}

/**
 * What callers of GraphQL notice beside what callers of REST do: other names of root fields and types, and joins that are
 * gone. Where a join leads elsewhere its reference says so.
 */
export function graphqlChanges({ before, after }: ModelPair, was: ApiModel, is: ApiModel): BreakingChange[] {
  const [former, now] = [was.graphql, is.graphql];
  // A file of an earlier version says nothing of it.
  if (former === undefined || now === undefined) return [];
  const notices = "whoever asks for it by GraphQL";
  const lost = former.joins
    .filter((name) => !now.joins.includes(name))
    .map((name) => ({ change: `${after.key}.${name} is no join any more`, notices }));
  // Another path is another name already.
  if (was.path !== is.path) return lost;
  if (before.key !== after.key)
    return [{ change: `${after.key} was called ${before.key}`, notices }, ...lost];
  if (former.name === now.name) return lost;
  return [
    { change: `mutations of ${after.key} end in ${now.name}, and did in ${former.name}`, notices },
    ...lost,
  ];
}
