import { namedHooks, type OnlyHooks } from "./any-hooks.ts";
import type { ResultEnvelope } from "./auth-hooks.ts";
import type { Hook } from "./model-hooks.ts";

/** A request as it came; the value of `before_graphql`, which sees the text before anybody reads it. */
export interface GraphqlRequest {
  query: string;
  variables: Record<string, unknown>;
}

/** The answer of a request in which everything went well, keyed by root field; the value of `after_graphql`. */
export interface GraphqlResult extends ResultEnvelope<Record<string, unknown>> {
  statusCode: 200;
}

/** The functions that `models/hooks/graphql.ts` may export (contract: "Events"). They run outside any transaction. */
export interface GraphqlHooks {
  before_graphql?: Hook<GraphqlRequest>;
  /** After all root fields; for mutations after the commit, which a throw does not undo. */
  after_graphql?: Hook<GraphqlResult>;
}

/** Takes the exports of `models/hooks/graphql.ts`. */
export function defineGraphqlHooks<Exports extends OnlyHooks<GraphqlHooks, Exports>>(
  exports: Exports,
): GraphqlHooks {
  return namedHooks(exports);
}
