import { type CallerColumn, type Claim, type ClaimPlaceholder, claims } from "../conditions/conditions.ts";

/**
 * A value that the server sets in a row: a claim of the caller, the time, or a column of the caller's row
 * in `users`.
 */
export type Preset = ClaimPlaceholder | { readonly placeholder: "now" } | CallerColumn;

const callerColumn = /^\{user\.(\w+)\}$/;

const texts: ReadonlyMap<string, Preset> = new Map<string, Preset>([
  ...claims.map((placeholder): [string, Preset] => [claimText(placeholder), { placeholder }]),
  ["now()", { placeholder: "now" }],
]);

/** The presets other than `{user.<column>}`. */
export const plainPresets: readonly string[] = [...texts.keys()];

/** Parses a preset of the models file; null if it is invalid. Does not check that its column exists. */
export function presetOf(text: string): Preset | null {
  const user = callerColumn.exec(text)?.[1];
  return user === undefined ? (texts.get(text) ?? null) : { user };
}

/** The writes that set a preset: only those of new rows, or also those of existing rows. */
export const presetTimes = ["create", "write"] as const;

export type PresetTime = (typeof presetTimes)[number];

/** A preset and its writes, as reports and descriptions print them: `{user_id}`, `{user_id} on write`. */
export function presetPhrase({ value, on }: { readonly value: Preset; readonly on: PresetTime }): string {
  return on === "create" ? presetText(value) : `${presetText(value)} on write`;
}

/** Whether the text of `presetPhrase` is of a preset that every write sets. */
export function isOnWrite(phrase: unknown): boolean {
  return typeof phrase === "string" && phrase.endsWith(" on write");
}

/** The text of a preset in the models file. */
export function presetText(preset: Preset): string {
  if ("user" in preset) return `{user.${preset.user}}`;
  return preset.placeholder === "now" ? "now()" : claimText(preset.placeholder);
}

function claimText(claim: Claim): string {
  return `{${claim}}`;
}
