import { type Moment, type TimeUnit, timeUnits } from "../../vocabulary/conditions.ts";

type Offset = NonNullable<Moment["offset"]>;

/** Longest span of time in a condition, in days. */
const maxDays = 36_500;

const isUnit = (name: string): name is TimeUnit => Object.hasOwn(timeUnits, name);

/** Reads `15 minutes`, one whole number and one unit (decisions, part 4); or says why it is none. */
export function readSpan(
  text: string,
  sign: 1 | -1,
): { readonly offset: Offset } | { readonly message: string; readonly hint: string } {
  const [, digits = "", name = ""] = /^\s*(\d+)\s+([a-z]+?)s?\s*$/i.exec(text) ?? [];
  const unit = name.toLowerCase();
  if (!isUnit(unit)) {
    const hint = "units are second, minute, hour and day, such as '15 minutes' or '2 days'";
    return { message: `'${text}' is no span of time: one whole number and one unit`, hint };
  }
  const amount = Number(digits);
  if (amount * timeUnits[unit] > maxDays * timeUnits.day)
    return { message: `'${text}' is a longer span than 36,500 days`, hint: "write '36500 days' or fewer" };
  // Never -0, which would print as another text.
  return { offset: { amount: sign * amount + 0, unit } };
}
