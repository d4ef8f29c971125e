/** Cents as the text that a column of money holds: `12.50`. */
export function money(cents: number): string {
  return (cents / 100).toFixed(2);
}

/** Money as whole cents, to count with. */
export function cents(amount: string): number {
  return Math.round(Number(amount) * 100);
}
