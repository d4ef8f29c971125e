import { settingProblems } from "../../vocabulary/social/provider-settings.ts";
import { nameProblem, providerRow } from "../../vocabulary/social/providers.ts";
import type { RawProviderSettings } from "../load/raw.ts";
import type { CheckContext } from "./check-context.ts";

/** Declared providers of social sign-in and their settings (decisions, part 9). Secrets are checked when a server starts. */
export function checkSocial(context: CheckContext): void {
  const { manifest, report } = context;
  if (manifest === null) return;
  for (const { value: name, at } of manifest.socialProviders) {
    const wrong = nameProblem(name);
    if (wrong !== null) report("unknown-provider", at, wrong.message, wrong.hint);
    else
      checkSettings(
        context,
        name,
        at,
        manifest.social.find((one) => one.name.value === name),
      );
  }
  const declared = new Set(manifest.socialProviders.map(({ value }) => value));
  for (const { name } of manifest.social) {
    if (declared.has(name.value)) continue;
    const message = `"auth.social" has settings of "${name.value}", which is not declared: they have no effect`;
    report("undeclared-provider", name.at, message, 'add it to "auth.social_providers", or remove them');
  }
}

function checkSettings(
  { report }: CheckContext,
  name: string,
  declaredAt: CheckContext["models"][number]["at"],
  given: RawProviderSettings | undefined,
): void {
  const row = providerRow(name);
  if (row === undefined) return;
  const values = Object.fromEntries([...(given?.settings ?? [])].map(([key, { value }]) => [key, value]));
  for (const { setting, kind, message, hint } of settingProblems(name, row, values)) {
    const at = (setting === null ? given?.name.at : given?.settings.get(setting)?.at) ?? declaredAt;
    report(codes[kind], at, message, hint ?? undefined);
  }
}

const codes = { unknown: "unknown-key", missing: "missing-key", invalid: "invalid-value" } as const;
