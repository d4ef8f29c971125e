import { parseDatetime, parseTime } from "../../vocabulary/fields/dates.ts";
import {
  type DecimalSize,
  decimalText,
  int64Text,
  numberText,
} from "../../vocabulary/fields/exact-numbers.ts";
import { type ElementKind, elementKindOf, type FieldKind } from "../../vocabulary/fields/field-kinds.ts";

type Scalar = string | number | boolean;

/** The one form of a value; null where it does not fit the kind. */
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

/** In lists moments and UUIDs take their form before they are stored as well. */
const elementForms: Readonly<Partial<Record<ElementKind, Form>>> = {
  ...exactForms,
  datetime: textOf(parseDatetime),
  uuid: textOf((text) => text.toLowerCase()),
};

const forms: Readonly<Partial<Record<FieldKind, Form>>> = exactForms;

/** Whether values of a kind may be sent in several forms, of which hooks and code see the one that is answered. */
export function hasAnsweredForm(kind: FieldKind): boolean {
  const element = elementKindOf(kind);
  return element === null ? forms[kind] !== undefined : elementForms[element] !== undefined;
}

/** A value in the form in which it is answered, of a list each element; a value that does not fit its kind stays as it is. */
export function answeredValue(kind: FieldKind, value: unknown, decimal: DecimalSize | null): unknown {
  const element = elementKindOf(kind);
  if (element === null) return inForm(forms[kind], value, decimal);
  if (!Array.isArray(value)) return value;
  // From: a gap in a list of a hook is no value either.
  return Array.from(value, (one: unknown) => inForm(elementForms[element], one, decimal));
}

function inForm(form: Form | undefined, value: unknown, decimal: DecimalSize | null): unknown {
  if (form === undefined || (typeof value !== "string" && typeof value !== "number")) return value;
  return form(value, decimal) ?? value;
}

/** What two elements of a list have in common where they are the same value. */
export function elementValue(kind: ElementKind, value: Scalar, decimal: DecimalSize | null): unknown {
  return inForm(elementForms[kind], value, decimal);
}
