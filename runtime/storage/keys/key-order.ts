const surrogate = /[\ud800-\udfff]/;

/** Orders texts by their UTF-8 bytes, as lists of keys are. */
export function compareBytes(one: string, other: string): number {
  if (one === other) return 0;
  // JavaScript goes by UTF-16, which differs where one character takes two units.
  if (surrogate.test(one) || surrogate.test(other))
    return Buffer.compare(Buffer.from(one), Buffer.from(other));
  return one < other ? -1 : 1;
}
