/** SQL's truth values: null is unknown. */
export type Truth = boolean | null;

/** A value as it is compared. */
export type Comparable = string | number | bigint | boolean | null;

export type Sign = "=" | "!=" | "<" | "<=" | ">" | ">=";

/** All of them, as SQL's AND. */
export function every(truths: readonly Truth[]): Truth {
  if (truths.includes(false)) return false;
  return truths.includes(null) ? null : true;
}

/** One of them, as SQL's OR. */
export function some(truths: readonly Truth[]): Truth {
  return negate(every(truths.map(negate)));
}

export function negate(value: Truth): Truth {
  return value === null ? null : !value;
}

export function compare(sign: Sign, left: Comparable, right: Comparable): Truth {
  if (left === null || right === null) return null;
  switch (sign) {
    case "=":
      return left === right;
    case "!=":
      return left !== right;
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case ">":
      return left > right;
    default:
      return left >= right;
  }
}

/** A claim as an integer of `bits` bits; NULL if it is not one. */
export function integerOf(claim: string, bits: 32n | 64n): bigint | null {
  if (!/^-?\d{1,19}$/.test(claim)) return null;
  const limit = 2n ** (bits - 1n);
  const number = BigInt(claim);
  return number >= -limit && number < limit ? number : null;
}

/** LIKE. A backslash is itself; where a pattern is literal, so are its wildcards. */
export function isLike(
  value: string | null,
  pattern: string | null,
  { ignoreCase, literal }: { readonly ignoreCase: boolean; readonly literal: boolean },
): Truth {
  if (value === null || pattern === null) return null;
  const source = [...pattern].map((character) => {
    if (!literal && character === "%") return "[^]*";
    if (!literal && character === "_") return "[^]";
    return character.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&");
  });
  return new RegExp(`^${source.join("")}$`, ignoreCase ? "iu" : "u").test(value);
}
