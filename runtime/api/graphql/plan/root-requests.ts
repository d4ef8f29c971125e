import type { Operation as ModelOperation } from "../../../../vocabulary/operations.ts";
import type { Problem } from "../../../core/errors/index.ts";
import type { ListInput } from "../../../data/operations/index.ts";
import type { BindValue, Filter } from "../../../data/sql/index.ts";
import type { Variables } from "../document/index.ts";
import { requestedMutation } from "./plan-mutation.ts";
import type { Root } from "./roots.ts";

/** A root field as a request to its model. Its access and its values are not checked. */
export interface RootRequest {
  /** The response key. */
  readonly key: string;
  readonly model: string;
  readonly operation: ModelOperation;
  /** Of a query. */
  readonly list?: ListInput;
  /** Of a mutation. */
  readonly filters?: readonly Filter[];
  readonly ids?: readonly BindValue[];
  readonly data?: Readonly<Record<string, unknown>>;
  /** If there are any, the input is incomplete. */
  readonly problems: readonly Problem[];
}

/** The request of a root field; none for `__typename`. */
export function rootRequests(root: Root, variables: Variables, bulkLimit: number): RootRequest[] {
  if (root.kind === "typename") return [];
  const named = { key: root.key, model: root.member.model.key, operation: root.operation(variables) };
  if (root.kind === "mutation") {
    const problems: Problem[] = [];
    const { mentions } = requestedMutation(root, variables, bulkLimit, problems);
    return [{ ...named, ...mentions, problems }];
  }
  const { input, problems } = (root.kind === "aggregate" ? root.args : root.list).read(variables);
  return [{ ...named, list: input, problems }];
}
