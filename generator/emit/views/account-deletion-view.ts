import { type DeletionEffect, deletionEffects } from "../../definition/account-deletion.ts";
import type { ServiceDefinition } from "../../definition/definition.ts";

interface AccountDeletionView {
  readonly imports: null;
  readonly lines: readonly string[];
}

/** The view of `account-deletion.txt`. */
export function accountDeletionView({ models }: ServiceDefinition): AccountDeletionView {
  return { imports: null, lines: deletionEffects(models).map(lineOf) };
}

/** Whether a model refers to accounts. */
export function refersToAccounts({ models }: ServiceDefinition): boolean {
  return deletionEffects(models).length > 0;
}

function lineOf({ model, field, onDelete, path }: DeletionEffect): string {
  const effects = {
    cascade: `removes ${model}`,
    set_null: `empties ${model}.${field}`,
    restrict: `refuses while ${model} refer to ${path.length === 1 ? "the account" : "such a row"}`,
  };
  return `${path.join(" > ")}: ${onDelete}, ${effects[onDelete]}`;
}
