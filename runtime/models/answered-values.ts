import { parseComparedDatetime, parseDatetime, parseTime } from "../../vocabulary/fields/dates.ts";
import {
  type DecimalSize,
  decimalText,
  int64Text,
  numberText,
} from "../../vocabulary/fields/exact-numbers.ts";
import { type ElementKind, elementKindOf, type FieldKind } from "../../vocabulary/fields/field-kinds.ts";

type Scalar = string | number | boolean;

/** The value as in responses; null if it does not fit its kind. */
type Form = (value: string | number, decimal: DecimalSize | null) => string | null;

const textOf =
  (form: (text: string) => string | null): Form =>
  (value) =>
    typeof value === "string" ? form(value) : null;

const exactForms = {
  decimal: (value, size) => (size === null ? numberText(value) : decimalText(value, size)),
  int64: int64Text,
  time: textOf(parseTime),
} as const satisfies Partial<Record<FieldKind, Form>>;

/** Timestamps and UUIDs in lists are converted before they are stored, too. */
const elementForms: Readonly<Partial<Record<ElementKind, Form>>> = {
  ...exactForms,
  datetime: textOf(parseDatetime),
  uuid: textOf((text) => text.toLowerCase()),
};

const forms: Readonly<Partial<Record<FieldKind, Form>>> = exactForms;

/** Whether values of a kind can be sent in several forms. Hooks and app code see values as in responses. */
export function hasResponseForm(kind: FieldKind): boolean {
  const element = elementKindOf(kind);
  return element === null ? forms[kind] !== undefined : elementForms[element] !== undefined;
}

/** Columns with a type of their own can hold microseconds. */
const preciseForms: typeof elementForms = { ...elementForms, datetime: textOf(parseComparedDatetime) };

/** What the form of a value depends on. */
type FormedColumn = {
  readonly kind: FieldKind;
  readonly decimal: DecimalSize | null;
  readonly dbType?: string | null;
};

/** A value, or each element of a list, as in responses; unchanged if it does not fit its kind. */
export function responseValue({ kind, decimal, dbType = null }: FormedColumn, value: unknown): unknown {
  const element = elementKindOf(kind);
  if (element === null) return inForm(forms[kind], value, decimal);
  if (!Array.isArray(value)) return value;
  const form = (dbType === null ? elementForms : preciseForms)[element];
  // `Array.from` also visits holes, which are not values.
  return Array.from(value, (one: unknown) => inForm(form, one, decimal));
}

function inForm(form: Form | undefined, value: unknown, decimal: DecimalSize | null): unknown {
  if (form === undefined || (typeof value !== "string" && typeof value !== "number")) return value;
  return form(value, decimal) ?? value;
}

/** A form that is equal for equal elements. */
export function elementValue(kind: ElementKind, value: Scalar, decimal: DecimalSize | null): unknown {
  return inForm(elementForms[kind], value, decimal);
}
