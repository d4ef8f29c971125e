const shortest = 4;

/** Letters that users replace in words by these characters. */
const replaced: ReadonlyMap<string, string> = new Map([
  ["@", "a"],
  ["4", "a"],
  ["3", "e"],
  ["1", "i"],
  ["!", "i"],
  ["0", "o"],
  ["$", "s"],
  ["5", "s"],
  ["7", "t"],
]);

/** The word in a password: `P@ssw0rd1!` is `password`. Empty for a text without letters. */
export function wordIn(text: string): string {
  const cut = text.toLowerCase().replace(/^[^\p{L}\p{M}]+|[^\p{L}\p{M}]+$/gu, "");
  return [...cut].map((character) => replaced.get(character) ?? character).join("");
}

/** Whether the word of a password is short, repeats one piece, or is in a list. */
export function isCommon(word: string, list: ReadonlySet<string>): boolean {
  return [...word].length < shortest || /^(.{1,4})\1+$/su.test(word) || list.has(word);
}

/** Whether the word of a password is that of one of these texts. */
export function isPersonal(word: string, texts: readonly (string | null)[]): boolean {
  return texts.some((text) => text !== null && wordIn(text) === word);
}

/** Loads about 49,000 words: 0.1 s and 18 MB. */
export async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"]);
}
