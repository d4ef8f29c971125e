import type { Operation } from "../../vocabulary/operations.ts";
import {
  type FieldMentions,
  type Grant,
  grantOf,
  type OperationPolicy,
  requireFields,
} from "../access/index.ts";
import { type Problem, refuseProblems, ServiceError } from "../errors/index.ts";
import type { Answer } from "../http/index.ts";
import type { OperationContext } from "../operations/operation-context.ts";
import type { InputParser, RawRequest } from "./input.ts";

/** Lets a role into one operation. */
export interface Guard<Op extends Operation> {
  readonly operation: Op;
  /** The rows in reach, or 403 `PERMISSION_DENIED`, which names what was asked for where the URL does not. */
  readonly admit: (role: string, asked?: string) => Grant;
}

/** An operation on a model, below HTTP: REST and GraphQL both run it. */
export interface CrudOperation<Op extends Operation, Input> {
  readonly operation: Op;
  readonly run: (call: OperationContext, grant: Grant, input: Input) => Promise<Answer>;
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A route of a model, with what stands before its operation in the order in which it runs. */
export interface Route {
  readonly method: Method;
  readonly path: string;
  readonly operation: Operation;
  readonly readsBody: boolean;
  readonly admit: (role: string) => Grant;
  /** Reads the input, checks the fields that it names and then their values, and runs the operation. */
  readonly run: (
    call: OperationContext,
    grant: Grant,
    request: RawRequest,
    problems: Problem[],
  ) => Promise<Answer>;
}

/** The guard of an operation, made from the operation's own rules. */
export function guard<Op extends Operation>(policy: OperationPolicy<Op>): Guard<Op> {
  const grants = new Map<string, Grant>();
  const rememberedRoles = 100;
  return {
    operation: policy.operation,
    admit(role, asked) {
      const known = grants.get(role);
      if (known !== undefined) return known;
      const grant = grantOf(policy, role);
      if (grant === null) throw refusal(asked);
      if (grants.size < rememberedRoles) grants.set(role, grant);
      return grant;
    },
  };
}

function refusal(asked: string | undefined): ServiceError {
  if (asked === undefined) return new ServiceError("PERMISSION_DENIED");
  return new ServiceError("PERMISSION_DENIED", `Your role may not ask for ${asked}.`, { field: asked });
}

/** A line of `routes.ts`. A path, a guard, an input and an operation that do not belong together do not compile. */
function declare(method: Method) {
  return <Op extends Operation, Input extends FieldMentions>(
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
    run(call, grant, request, problems) {
      const value = parser.read(request, problems);
      requireFields(call.view, value);
      refuseProblems(problems);
      return run(call, grant, value);
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
