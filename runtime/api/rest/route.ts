import type { Operation, operationMethods } from "../../../vocabulary/operations.ts";
import type { RouteMethod } from "../../../vocabulary/route-paths.ts";
import { type Problem, refuseProblems } from "../../core/errors/index.ts";
import type { Answer } from "../../core/http/index.ts";
import type { CrudOperation, Guard, ModelEntry, OperationContext } from "../../data/operations/index.ts";
import type { AnyHooks } from "../../hooks/index.ts";
import { type FieldMentions, type Grant, requireFields, type Standing } from "../../models/access/index.ts";
import type { ModelLimits } from "../../modules/rate-limit/index.ts";
import type { InputParser, RawRequest } from "./input.ts";

/** A route of a model, with what stands before its operation in the order in which it runs. */
export interface Route {
  readonly method: RouteMethod;
  readonly path: string;
  readonly operation: Operation;
  readonly readsBody: boolean;
  readonly admit: (caller: Standing) => Grant;
  /** Reads the input, and checks the fields that it names and then their values. Gives what runs the operation. */
  readonly read: (
    call: OperationContext,
    request: RawRequest,
    problems: Problem[],
  ) => (grant: Grant) => Promise<Answer>;
}

/** The operations whose routes have a method. */
type OperationWith<Method extends RouteMethod> = {
  [Op in Operation]: (typeof operationMethods)[Op] extends Method ? Op : never;
}[Operation];

/** A line of `routes.ts`. A method, path, guard, input and operation that do not belong together do not compile. */
function declare<Method extends RouteMethod>(method: Method) {
  return <Op extends OperationWith<Method>, Input extends FieldMentions>(
    path: `/${Op}`,
    { operation, admit }: Guard<NoInfer<Op>>,
    parser: InputParser<NoInfer<Input>>,
    { run }: CrudOperation<NoInfer<Op>, Input>,
  ): Route => ({
    method,
    path,
    operation,
    readsBody: parser.body,
    admit,
    read(call, request, problems) {
      const value = parser.read(request, problems);
      requireFields(call.view, value);
      refuseProblems(problems);
      return (grant) => run(call, grant, value);
    },
  });
}

export const route = {
  get: declare("GET"),
  post: declare("POST"),
  put: declare("PUT"),
  patch: declare("PATCH"),
  delete: declare("DELETE"),
};

/** A model with the routes that lead to it. */
export interface ModelRoutes extends ModelEntry {
  readonly limits: ModelLimits;
  /** By path: `/fetch`, … */
  readonly routes: ReadonlyMap<string, Route>;
}

/** Ties the routes of a model to what they work on. */
export function modelRoutes(
  parts: Omit<ModelEntry, "hooks"> & { readonly hooks?: AnyHooks; readonly limits?: ModelLimits },
  routes: readonly Route[],
): ModelRoutes {
  return { hooks: {}, limits: {}, ...parts, routes: new Map(routes.map((route) => [route.path, route])) };
}
