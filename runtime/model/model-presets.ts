import type { FieldKind } from "../../vocabulary/field-kinds.ts";
import type { Preset } from "../../vocabulary/presets.ts";
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

const known = new WeakMap<Model, Presets>();

/** The fields of a model that the server sets on create. */
export function presetsOf(model: Model): Presets {
  let presets = known.get(model);
  if (presets === undefined) {
    presets = listPresets(model);
    known.set(model, presets);
  }
  return presets;
}

function listPresets(model: Model): Presets {
  const fields = Object.entries(model.fields).flatMap(([name, { kind, preset }]): PresetField[] =>
    preset === undefined ? [] : [{ name, kind, preset, required: preset.required ?? false }],
  );
  const columns = fields.flatMap(({ preset }) => ("user" in preset ? [preset.user] : []));
  return { fields, callerColumns: [...new Set(columns)] };
}

/** Whether a create reads the caller's row in `users` before it writes. */
export function readsCallerRow(model: Model): boolean {
  return presetsOf(model).callerColumns.length > 0;
}
