import { suggestion } from "../../vocabulary/nearest.ts";
import type { CompiledMail } from "./compiled-mail.ts";
import type { MailContent } from "./mail.ts";
import type { TemplateValue, TemplateValues } from "./template-language.ts";

/** Fills in a template of the app. Throws for one that there is not, and for a value that is missing or is none. */
export function fillOwnMail(
  mails: ReadonlyMap<string, CompiledMail>,
  template: string,
  data: unknown,
): MailContent {
  const mail = mails.get(template);
  if (mail === undefined)
    throw new Error(`there is no models/mails/${template}.txt${suggestion(template, mails.keys())}`);
  return mail.fill(valuesOf(mail, template, data));
}

/** Only what the template names gets to it, and of that nothing inherited. */
function valuesOf({ needed, optional }: CompiledMail, template: string, data: unknown): TemplateValues {
  const given: Readonly<Record<string, unknown>> = Object(data);
  const of = (name: string) => (Object.hasOwn(given, name) ? given[name] : undefined);
  const missing = needed.filter((name) => (of(name) ?? null) === null);
  if (missing.length > 0)
    throw new Error(
      `the mail ${template} needs a value for ${missing.map((name) => `"${name}"`).join(", ")}`,
    );
  const values: Record<string, TemplateValue | null> = Object.create(null);
  for (const name of [...needed, ...optional]) values[name] = checkedValue(template, name, of(name) ?? null);
  return values;
}

function checkedValue(template: string, name: string, value: unknown): TemplateValue | null {
  if (value === null || typeof value === "string" || typeof value === "boolean" || typeof value === "bigint")
    return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new Error(`the value "${name}" of the mail ${template} must be a text, a number or a boolean`);
}
