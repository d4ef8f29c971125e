import { familyOf } from "../../vocabulary/migrations/catalog.ts";

/** Number types that PostgreSQL casts to each other. */
export const numberTypes: readonly string[] = [
  "smallint",
  "integer",
  "bigint",
  "real",
  "double precision",
  "numeric",
];

/** The digits that an exact number type can hold. */
export interface NumberCapacity {
  /** Most digits before the point that a value can have. */
  readonly most: number;
  /** Numbers with this many digits before the point always fit. */
  readonly fits: number;
  /** Digits after the point. */
  readonly decimals: number;
}

const wholes: Readonly<Record<string, NumberCapacity>> = {
  smallint: { most: 5, fits: 4, decimals: 0 },
  integer: { most: 10, fits: 9, decimals: 0 },
  bigint: { most: 19, fits: 18, decimals: 0 },
};

const unbounded = Number.POSITIVE_INFINITY;

/** The capacity of a number type; null if the type is not exact. */
export function capacityOf(type: string): NumberCapacity | null {
  if (familyOf(type) !== "numeric") return wholes[type] ?? null;
  const [, precision, scale] = /\((\d+),(-?\d+)\)/.exec(type) ?? [];
  if (precision === undefined) return { most: unbounded, fits: unbounded, decimals: unbounded };
  const whole = Number(precision) - Number(scale);
  return { most: whole, fits: whole, decimals: Number(scale) };
}

/** Whether a type holds numbers without rounding them. */
export function isExactNumber(type: string): boolean {
  return capacityOf(type) !== null;
}

/** Significant digits of floating-point types. */
const kept: Readonly<Record<string, number>> = { real: 6, "double precision": 15 };

/** The loss of a cast between number types, in words. Empty if nothing is lost; null if a type is not a number. */
export function numberLoss(from: string, to: string): string | null {
  if (![from, to].every((type) => numberTypes.includes(familyOf(type)))) return null;
  const [source, target] = [capacityOf(from), capacityOf(to)];
  if (source !== null && target !== null) return betweenExact(source, target, to);
  if (source !== null) return toFloat(source, from, to);
  if (target === null)
    return (kept[from] ?? 0) <= (kept[to] ?? 0) ? "" : `keeps about ${kept[to]} digits of each number`;
  const parts = familyOf(to) === "numeric" ? [`keeps about ${kept[from]} digits of each number`] : [];
  return inWords([...parts, rounding(target)], overflow(target, to));
}

function betweenExact(source: NumberCapacity, target: NumberCapacity, to: string): string {
  const rounds = source.decimals > target.decimals;
  // 9.99 rounds to 10.0, which has one more digit before the point.
  const most = rounds && familyOf(to) === "numeric" ? source.most + 1 : source.most;
  return inWords(rounds ? [rounding(target)] : [], most > target.fits ? overflow(target, to) : null);
}

function toFloat({ most, decimals }: NumberCapacity, from: string, to: string): string {
  const digits = kept[to] ?? 0;
  if (most + decimals <= digits) return "";
  return from === "bigint" && digits === 15
    ? "is exact only up to 9007199254740991"
    : `keeps about ${digits} digits of each number`;
}

/** `rounds to 2 decimals`. */
export function rounding({ decimals }: NumberCapacity): string {
  if (decimals === 0) return "rounds to whole numbers";
  return `rounds to ${decimals} ${decimals === 1 ? "decimal" : "decimals"}`;
}

const greatest: Readonly<Record<string, string>> = {
  smallint: "32767",
  integer: "2147483647",
  bigint: "9223372036854775807",
};

function overflow({ fits }: NumberCapacity, to: string): string {
  return greatest[to] === undefined ? `of more than ${fits} digits before the point` : `over ${greatest[to]}`;
}

/** `rounds to 2 decimals, and fails on those over …`. */
function inWords(parts: readonly string[], fails: string | null): string {
  if (fails === null) return parts.join(", and ");
  return [...parts, `fails on ${parts.length === 0 ? "numbers" : "those"} ${fails}`].join(
    parts.length > 1 ? ", " : ", and ",
  );
}
