import type { Transaction } from "../../core/database/index.ts";
import {
  type ChangedContext,
  extend,
  type MutationContext,
  type TargetContext,
  type WrittenContext,
} from "../../hooks/context/index.ts";
import type { HookScope } from "../../hooks/index.ts";
import { codeView, type Grant } from "../../models/access/index.ts";
import type { AnyTypes } from "../../models/index.ts";
import type { Visibility } from "../sql/index.ts";
import type { MutationScope } from "./mutation.ts";
import type { OperationContext } from "./operation-context.ts";
import { rowsByIds } from "./rows-by-ids.ts";
import type { BoundTarget, TouchedRows } from "./touched-rows.ts";

/** A before-hook is told the rows that the operation is about to touch; `target` reads what the hook makes of them so far. */
export function withRows(
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
  touched: TouchedRows,
  sees: Visibility,
  target: () => BoundTarget,
): HookScope<TargetContext<AnyTypes>> {
  return {
    trace: work.trace,
    errors: work.errors,
    context(hook, calls) {
      const context: MutationContext = work.context(hook, calls);
      extend(context, {
        rows: () => calls.inTurn(async () => touched.lock(call, grant, transactionOf(work), target(), sees)),
      });
      return context;
    },
  };
}

/** An after-hook is told the rows that were written. */
export function withAfter(
  call: OperationContext,
  work: MutationScope,
  ids: readonly string[],
): HookScope<WrittenContext<AnyTypes>> {
  const view = codeView(call.model);
  return {
    trace: work.trace,
    errors: work.errors,
    context(hook, calls) {
      const context: MutationContext = work.context(hook, calls);
      extend(context, {
        after: () => calls.inTurn(() => rowsByIds(call, transactionOf(work), view, ids)),
      });
      return context;
    },
  };
}

/** An after-hook is told the rows that were changed, and how they were where the before-hook asked. */
export function withBefore(
  scope: HookScope<WrittenContext<AnyTypes>>,
  before: () => ChangedContext<AnyTypes>["before"],
): HookScope<ChangedContext<AnyTypes>> {
  return {
    trace: scope.trace,
    errors: scope.errors,
    context(hook, calls) {
      const context: WrittenContext<AnyTypes> = scope.context(hook, calls);
      extend(context, {
        get before() {
          return before();
        },
      });
      return context;
    },
  };
}

function transactionOf({ transaction }: MutationScope): Transaction {
  if (transaction === null) throw new Error("a hook runs outside the transaction of its operation");
  return transaction;
}
