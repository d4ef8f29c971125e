import type { Operation } from "../../../vocabulary/operations.ts";
import { type Problem, refuseProblems } from "../../core/errors/index.ts";
import type { CallScope } from "../../hooks/context/index.ts";
import { type FieldMentions, type Grant, requireFields } from "../../models/access/index.ts";
import type { ModelEntry, OperationContext } from "../operations/index.ts";
import type { Standing } from "./standing.ts";

/** Runs one call of code: inside a transaction in turn, and undone alone where it fails; outside any by itself. */
export function runCall<Result>(
  { transaction, calls }: CallScope,
  call: () => Promise<Result>,
): Promise<Result> {
  return transaction === null ? calls.now(call) : calls.inTurn(() => transaction.savepoint(call));
}

/** The same for one that may write. */
export function runWrite<Result>(scope: CallScope, call: () => Promise<Result>): Promise<Result> {
  return runCall(scope, () => {
    scope.transaction?.part.noteWrite();
    return call();
  });
}

/** A call of an operation whose input was read and may be asked for. */
interface Begun<Input> {
  readonly call: OperationContext;
  readonly grant: Grant;
  readonly input: Input;
}

/** Access to the operation, then to the fields, then their values, as over REST. */
export function beginCall<Input extends FieldMentions>(
  standing: Standing,
  entry: ModelEntry,
  operation: Operation,
  read: (call: OperationContext, problems: Problem[]) => Input,
): Begun<Input> {
  const { call, grant } = standing.begin(entry, operation);
  const problems: Problem[] = [];
  const input = read(call, problems);
  requireFields(call.view, input);
  refuseProblems(problems);
  return { call, grant, input };
}
