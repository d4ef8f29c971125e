/** `lint`: valid, but could be a mistake. Shown only by `--lint` and `--check`. */
export type Severity = "error" | "warning" | "lint";

const error = (summary: string) => ({ severity: "error", summary }) as const;
const warning = (summary: string) => ({ severity: "warning", summary }) as const;
const lint = (summary: string) => ({ severity: "lint", summary }) as const;

/** Every code of a diagnostic, with its severity and what it means. Each has a test in `test/generator/diagnostics`. */
export const catalogue = {
  // files and JSON
  "missing-file": error("a models file or the manifest does not exist or cannot be read"),
  "invalid-json": error("the text is not JSON: a syntax error, a comment or a trailing comma"),
  "byte-order-mark": error("a code file begins with a byte order mark"),
  "json-too-deep": error("the JSON is nested deeper than 32 levels"),
  "not-an-object": error("a file does not hold one JSON object"),
  "duplicate-key": error("a key appears twice in one JSON object"),
  "duplicate-model": error("two models files hold a model of the same key"),
  "duplicate-condition": error("two models files define a condition of the same name"),

  // shapes
  "unknown-key": error("an unknown key"),
  "missing-key": error("a required key is missing"),
  "wrong-type": error("a value has the wrong JSON type for its key"),
  "invalid-value": error("a value is not allowed for its key"),
  "unknown-field-type": error("a field has a type that does not exist"),
  "conflicting-keys": error("two spellings of one key, such as `table` and `table_name`"),
  "unknown-provider": error("`auth.social_providers` names a provider that Kirak does not support"),
  "undeclared-provider": warning("`auth.social` has settings of a provider that is not declared"),
  "secret-in-manifest": error("the manifest holds a secret; secrets are environment variables"),

  // names
  "invalid-name": error("a model key, field or table has a name that is not allowed"),
  "case-conflict": error("two names differ only by case"),
  "reserved-field": error("a field has the name of a runtime column, or of a system column of PostgreSQL"),
  "reserved-model": error("a model has a name that is reserved for the service itself"),
  "reserved-table": error(
    "a model uses an internal table of the service, or a name that is reserved for PostgreSQL",
  ),
  "duplicate-table": error(
    "two models use the same table, or a table has the name of a primary key or sequence of another table",
  ),
  "invalid-slug": error("a slug is not a single plain URL segment"),
  "duplicate-slug": error("two models use the same slug"),
  "route-collision": error("a slug, a prefix or a custom route conflicts with another route"),
  "generated-name-collision": error("a name collides with a generated GraphQL name"),
  "ambiguous-aggregate": warning("a field has the name of a key in aggregate answers"),
  "hidden-field": warning("a field has the name of a reserved query parameter or argument"),
  "built-in-field": error("the entry for accounts declares a built-in column"),
  "built-in-key": error("the entry for accounts changes a built-in setting, or has rules for routes"),

  // tables as they are
  "invalid-stored-column": error(
    "a column of a table is missing where the model needs it, or has two owners",
  ),
  "invalid-order-key": error("`key` names a field that cannot order rows, or the rows have an id"),
  "read-only-model": error("a model that can only be read has rules or options for writes"),
  "enum-type-values": error("two fields of one enum type list different values"),
  "invalid-db-type": error("a `db_type` is not a column type, or does not fit its field"),
  "generated-field": error("a field that only the database fills in has a default, a preset or a write rule"),

  // fields
  "missing-field-type": error("a field has no type"),
  "inapplicable-option": error("an option does not apply to the type of its field"),
  "invalid-enum": error("an enum value does not fit its field, or appears twice"),
  "invalid-default": error("a default does not fit its field"),
  "invalid-preset": error("a preset is unknown, does not fit its field, or cannot be used there"),
  "invalid-bounds": error("a lower bound is above the upper one, or outside the range of the type"),
  "invalid-pattern": error("a pattern is not a regular expression of RE2"),
  "unfillable-field": error("a field is not required, but cannot be null and has no default"),
  "unknown-key-field": error("a unique key, an index or a field rule names a field that it cannot use"),
  "duplicate-index": error("a unique key or an index is declared twice"),
  "page-field-hidden": warning(
    "the GraphQL pages of a model are missing, because another model has their name",
  ),
  "client-name-hidden": warning(
    "a model has a name that generated clients need, so they reach it as `client.models.<key>` only",
  ),
  "docs-path-taken": warning(
    "the app has a path of the API's documentation itself, so Kirak does not serve it; an error if `docs.path` is set to it",
  ),
  "long-index-entry": warning("values can be too long for the index of a unique key or for an index"),
  "too-many-columns": error("a model, a unique key or an index has more columns than PostgreSQL allows"),
  "invalid-rename": error("a former name is still in use, or is not a valid name"),

  // relations
  "missing-relationship": error("a foreign key or a relationship type has no `relationship`"),
  "missing-foreign-key": error("a `relationship` is on a field that is not a foreign key"),
  "unknown-model": error("a relationship names a model that does not exist"),
  "invalid-reference": error("a relationship names a column that it cannot use"),
  "reference-type-mismatch": error("a foreign key has another type than the column it refers to"),
  "reference-cycle": error("foreign keys refer to each other in a cycle, so they have no type"),
  "set-null-on-required": error("`on_delete` is `set_null` on a field that cannot be null"),
  "has-one-not-unique": warning("a `has_one` over a foreign key that is not unique"),

  // access
  "unknown-operation": error("an access block names an operation that does not exist"),
  "invalid-role": error("a role is empty, or has spaces around it or control characters"),
  "self-role": error("the role `self` is not on a column that the app adds to `users`"),
  "unreachable-model": warning("no role may run any operation of a model"),
  "rule-fields": error("a rule names fields in an operation that sends none, or fields that it cannot name"),
  "search-without-fetch": error("search has the rules of fetch, and fetch has no rules"),
  "restore-without-soft-delete": warning("a restore rule on a model without soft delete has no effect"),
  "duplicate-rule": warning("a rule appears twice in one operation"),
  "empty-field-access": warning("an entry of `access.fields` names neither `read` nor `write`"),
  "condition-syntax": error("a row condition does not follow the grammar"),
  "condition-too-deep": error("a row condition is nested too deep"),
  "condition-too-large": error("a row condition is too long, or uses too many relations"),
  "condition-field": error("a row condition names a field that it cannot use"),
  "condition-call": error("a row condition calls a named condition that does not exist or does not fit"),
  "condition-operator": error("an operator of a row condition does not fit the type of its field"),
  "condition-value": error("a value of a row condition does not fit its field"),
  "condition-in-check": error("a check uses more than the fields of its row"),
  "duplicate-check": error("two checks of a model have the same name"),
  "unknown-check-field": error("a check names a field that its model does not have"),

  // acknowledged access
  "unknown-acknowledgement": error("an acknowledgement names neither rows nor a field that could be open"),
  "empty-reason": error("an acknowledgement has no reason, or only a placeholder"),
  "stale-acknowledgement": warning("an acknowledgement names access that is not open"),

  // custom errors
  "invalid-error-code": error("a code of `errors.json` is not a valid code"),
  "reserved-error-code": error("a code of `errors.json` is a built-in code"),

  // rate limits and hooks
  "mixed-rate-limit": error("a rate limit mixes settings for all operations with entries of operations"),
  "incomplete-rate-limit": error("a rate limit lacks `max_requests` or `window_seconds`"),
  "rate-limit-without-effect": warning("a rate limit that has no effect"),
  "orphan-hook": warning(
    "a hook file that nothing runs: its model does not exist or has no routes, or the file is in the wrong place",
  ),
  "upsert-bypasses-hooks": warning(
    "upsert is open for a model that has hooks of create or update, but no before_upsert",
  ),
  "unreadable-fills": error("`fills` of a hook file is not a literal"),
  "invalid-fills": error("`fills` names a hook or a field on which it has no effect"),
  "unknown-hook": error("a hook file exports something that is not a hook, such as a misspelt name"),
  "import-by-path": error("hooks, routes or jobs import a file of Kirak by its path"),
  "hook-does-not-compile": error("a hook file, or a module that it imports, has a TypeScript error"),

  // mails
  "invalid-mail-template": error("a mail template has no subject, a syntax error, or an unknown value"),
  "stray-mail-file": error(
    "a file in the folder of mail templates is not a template, or is an .html file without its .txt file",
  ),

  // custom routes
  "invalid-route": error(
    "a routes file declares something invalid, or something that cannot be read without running the file",
  ),

  "route-name-invalid": error("a custom route has a name that is not allowed"),
  "operation-name-taken": error("a custom route has the name of another operation"),

  // tools of the module mcp
  "mcp-operation": error("`mcp` of a model names an operation that the model does not have"),
  "mcp-tool-name": error("a tool has a name that is not allowed, or that of another tool"),
  "mcp-off": warning("a model or a route is exposed as a tool, but the module `mcp` is off"),

  // custom SQL
  "misnamed-migration": error(
    "a file in `models/migrations/` has no valid name, so it has no place in the chain",
  ),
  "invalid-migration": error("a custom SQL migration has content that is not allowed"),
  "empty-migration": warning("a custom SQL migration has no SQL"),

  // jobs
  "invalid-job": error("a file in the jobs folder has no valid name, default export or schema"),

  // lint
  "unknown-lint-code": error("`lint_ignore` names a code that does not exist or cannot be silenced"),
  "empty-lint-reason": error("`lint_ignore` gives no reason"),
  "unused-lint-ignore": lint("an entry of `lint_ignore` silences nothing"),
  "public-write": lint("anyone can write rows without signing in"),
  "permanent-delete": lint("a role that is not an administrator can delete rows permanently"),
  "shadowed-rule": lint("a row condition has no effect, because another rule opens all rows"),
  "dead-rule": lint("a rule for guests depends on a user id or an e-mail, which guests do not have"),
  "not-exists-for-guests": lint("a NOT EXISTS over rows that name the caller is true for guests"),
  "null-for-guests": lint("an IS NULL on a column of the caller is true for guests"),
  "exists-on-create": lint("a condition of create looks for rows that refer to the new one"),
  "compared-with-itself": lint("a row condition compares a row with itself"),
  "quoted-placeholder": lint("a row condition has a placeholder within quotes, which is plain text"),
  "rows-of-others": lint("anyone who registers can write rows of other users"),
  "write-wider-than-fetch": lint("a rule of a write opens rows that the role cannot fetch"),
  "role-nobody-has": lint("rules name a role that nothing in the project gives to accounts"),
  "similar-roles": lint("a role looks like a typo of another role"),
  "prefer-fills": lint("a before-hook of new records does not list the fields that it fills in"),
  "outer-context-after-commit": lint("a callback of afterCommit uses the outer context"),
  "secret-readable": lint("a role that is not an administrator can read a field that looks like a secret"),
  "empty-text": lint("a required text that callers write can be empty"),
  "plain-password": lint("a field that looks like a password is stored as plain text"),
  "check-reveals-field": lint(
    "callers who write one field of a check can learn another field that they cannot read",
  ),
  "personal-data-public": lint("personal data can be read by anyone"),
  "unused-condition": lint("no rule uses a named condition"),
  "repeated-condition": lint("several rules repeat a condition that could have a name"),
  "unindexed-condition": lint("a row condition compares a field without an index"),
  "unindexed-search": lint("a search looks into a field without an index"),
  "cookie-any-origin": lint("the auth cookie is on, and pages of any origin can call the API"),
  "weak-password-hash": lint("the bcrypt cost is too low to resist guessing"),
  "trust-any-proxy": lint("forwarding headers of every caller are trusted"),
  "rate-limits-off": lint("rate limits are off, also for logins"),
  "storage-scope": lint("storage is on, but its scope is not set"),
  "account-deletion-refused": lint("a relation can refuse the deletion of an account"),
  "route-not-run": warning("a file of routes cannot run, so its schemas are unknown"),
  "schema-unknown": lint("a schema of a route has no JSON Schema"),
  "mcp-closed": lint("no rule opens an operation that is exposed as a tool"),
  "mcp-description": lint("a tool, or a field that it writes, has no description"),
  "mcp-many-tools": lint("a role has more tools than assistants handle well"),
} satisfies Record<string, { severity: Severity; summary: string }>;

export type DiagnosticCode = keyof typeof catalogue;

/** Entries without an effect. They cannot be silenced, because it is easier to remove them. */
const leftovers: readonly DiagnosticCode[] = ["unused-lint-ignore", "stale-acknowledgement"];

/** Suggestions for valid definitions. */
const proposals: readonly DiagnosticCode[] = [
  ...(["prefer-fills", "empty-text", "page-field-hidden", "repeated-condition"] as const),
  ...(["client-name-hidden", "docs-path-taken"] as const),
];

/** Whether `--lint` and `--check` show it and go on. */
export function isProposal(code: DiagnosticCode): boolean {
  return proposals.includes(code);
}

/** Whether `--lint` and `--check` fail on it: neither an error nor a proposal. */
export function isFinding(code: DiagnosticCode): boolean {
  return catalogue[code].severity !== "error" && !isProposal(code);
}

/** Whether a `lint_ignore` may name the code. */
export function isSilenceable(code: DiagnosticCode): boolean {
  return catalogue[code].severity !== "error" && !leftovers.includes(code);
}
