import { checksum } from "../output/checksum.ts";
import { settingsIn } from "./extended-settings.ts";
import { ownFormat } from "./own-format.ts";

/**
 * The settings of the formatter as text: what the project's `biome.json` says of formatting, or the generator's own where there is
 * none. What it lints, and which files, is its own affair: no rule of it formats anything anew.
 */
export function formatSettings(root: string): string {
  const settings: unknown = settingsIn(root) ?? ownFormat;
  const { overrides } = fields(settings);
  const kept = {
    ...formatting(settings),
    ...(Array.isArray(overrides) ? { overrides: overrides.filter(isMeant).map(formattingThere) } : {}),
  };
  return JSON.stringify(kept);
}

/** Checksum of the settings, for the lock. */
export function settingsChecksum(settings: string): string {
  return checksum(settings);
}

/** What of the settings decides how TypeScript and JSON are formatted, always in this order. */
function formatting(settings: unknown): Record<string, unknown> {
  const { formatter, javascript, json, assist } = fields(settings);
  const parts = { formatter, javascript: language(javascript), json: language(json), assist };
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
}

function formattingThere(override: unknown): Record<string, unknown> {
  return { includes: fields(override)["includes"], ...formatting(override) };
}

function language(settings: unknown): Record<string, unknown> | undefined {
  if (settings === undefined) return undefined;
  const { linter: _, globals: __, ...kept } = fields(settings);
  return kept;
}

/** Whether an override is about files that are formatted here. */
function isMeant(override: unknown): boolean {
  const { includes } = fields(override);
  const isOther = (path: unknown) => /\.(?!(?:ts|json)$)\w+$/.test(String(path));
  return !Array.isArray(includes) || !includes.every(isOther);
}

function fields(value: unknown): Record<string, unknown> {
  return Object(value);
}
