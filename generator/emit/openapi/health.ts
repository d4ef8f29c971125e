import { healthRoutes } from "../../../vocabulary/built-in-routes.ts";
import { type OperationMaker, object, successResponse } from "./operation.ts";
import { pathsOfTable, type RouteGroup, type RouteKey } from "./route-group.ts";

type HealthRoute = (typeof healthRoutes)[number];

const facts: Readonly<
  Record<RouteKey<HealthRoute>, { readonly operationId: string; readonly summary: string }>
> = {
  "GET /healthz": { operationId: "health", summary: "Whether the process is up" },
  "GET /readyz": { operationId: "ready", summary: "Whether the service can answer requests" },
};

/** The routes of probes. */
export function healthGroup(make: OperationMaker): RouteGroup {
  const tag = "health";
  const paths = pathsOfTable(healthRoutes, "", ({ method, path }: HealthRoute) =>
    make({
      ...{
        ...facts[`${method} ${path}`],
        tag,
        credentials: "none",
        errors: {},
        app: false,
        access: null,
        limit: null,
      },
      success: { 200: successResponse("Yes.", object({})) },
    }),
  );
  return { tag, description: "Probes of the process.", paths };
}
