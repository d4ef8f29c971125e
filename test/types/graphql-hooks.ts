/** What `models/hooks/graphql.ts` compiles. */
import { defineGraphqlHooks, type GraphqlHooks } from "#runtime/hooks/index";

const before_graphql: GraphqlHooks["before_graphql"] = (request, { principal, log }) => {
  log.info({ role: principal.role, length: request.query.length }, "a query");
  request.variables["role"] = principal.role;
  // @ts-expect-error the value of a variable is unknown
  request.variables["role"].trim();
};

const after_graphql: GraphqlHooks["after_graphql"] = async (result, context) => {
  // @ts-expect-error a mutation has been committed by then
  context.transaction.raw("select 1");
  // @ts-expect-error the status of a success cannot change
  result.statusCode = 201;
  return { ...result, data: { ...result.data, extra: 1 } };
};

export const hooks = defineGraphqlHooks({ before_graphql, after_graphql });

// @ts-expect-error there is no such hook
export const unknownHook = defineGraphqlHooks({ before_grapql: before_graphql });
// @ts-expect-error the hook of another event
export const swapped = defineGraphqlHooks({ after_graphql: before_graphql });
