/** Removes hyphens and spaces: `978-0-14-044913-6` is `9780140449136`. */
export function bareIsbn(text: string): string {
  return text.replaceAll(/[\s-]/g, "");
}

/** The 13th digit for the first twelve: weights 1 and 3 in turn make the sum a multiple of ten. */
export function isbnCheckDigit(digits: string): string {
  const sum = [...digits.slice(0, 12)].reduce(
    (total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 1 : 3),
    0,
  );
  return String((10 - (sum % 10)) % 10);
}

/** True for 13 digits whose check digit is right. */
export function isIsbn(text: string): boolean {
  return /^97[89]\d{10}$/.test(text) && text.endsWith(isbnCheckDigit(text));
}
