import { deletionEffects } from "../definition/account-deletion.ts";
import type { LintContext } from "./lint-context.ts";

/** Finds relations that can refuse the deletion of an account, if users can delete their accounts. */
export function lintAccountDeletion({ definition, graph, report }: LintContext): void {
  if (!definition.selfService.includes("delete")) return;
  for (const { model, field, onDelete, path } of deletionEffects(definition.models)) {
    const at = graph.get(model)?.raw.fields.find(({ name }) => name === field)?.at;
    if (onDelete !== "restrict" || at === undefined) continue;
    const rows = path.length === 1 ? "it" : `its ${path[path.length - 2]?.split(".")[0]}`;
    const message = `users cannot delete an account while "${field}" of model "${model}" refers to ${rows}: the answer is 409 ACCOUNT_IN_USE`;
    report(
      "account-deletion-refused",
      at,
      message,
      'write "on_delete": "cascade" or "set_null", or explain in lint_ignore why such accounts must stay',
    );
  }
}
