import { mask } from "../../../masking/index.ts";

/** A text without what is secret, at most so long. */
export function maskedText(text: string, longest: number): string {
  // Masked before it is cut: half a token is not recognised. More than that of a text nobody reads.
  const masked = mask(text.slice(0, longest * 4));
  if (masked.length <= longest) return masked;
  // Not through the middle of a character.
  return masked.slice(0, /[\ud800-\udbff]/.test(masked[longest - 1] ?? "") ? longest - 1 : longest);
}
