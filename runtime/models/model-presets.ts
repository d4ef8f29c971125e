import type { FieldKind } from "../../vocabulary/fields/field-kinds.ts";
import type { Preset } from "../../vocabulary/fields/presets.ts";
import { oncePer } from "../core/memo/index.ts";
import type { Model } from "./model.ts";

/** A field that the server sets on create. */
export interface PresetField {
  readonly name: string;
  readonly kind: FieldKind;
  readonly preset: Preset;
  /** A new row cannot do without it. */
  readonly required: boolean;
}

/** What a model has of presets. */
interface Presets {
  readonly fields: readonly PresetField[];
  /** Columns of `users` that they take from the caller's row, each once. */
  readonly callerColumns: readonly string[];
}

/** The fields of a model that the server sets on create. */
export const presetsOf = oncePer((model: Model): Presets => {
  const fields = Object.entries(model.fields).flatMap(([name, { kind, preset }]): PresetField[] =>
    preset === undefined ? [] : [{ name, kind, preset, required: preset.required ?? false }],
  );
  const columns = fields.flatMap(({ preset }) => ("user" in preset ? [preset.user] : []));
  return { fields, callerColumns: [...new Set(columns)] };
});

/** Whether a create reads the caller's row in `users` before it writes. */
export function readsCallerRow(model: Model): boolean {
  return presetsOf(model).callerColumns.length > 0;
}
