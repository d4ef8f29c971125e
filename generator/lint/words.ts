/** The words of a name in snake or camel case, in lower case: `apiKey_hash` → `api`, `key`, `hash`. */
export function wordsOf(name: string): string[] {
  return name
    .split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());
}

/** Last words of names of a property, not of the thing itself: `token_type`, `phone_verified`. */
const aspects = new Set(
  `type kind name label title hint prefix suffix last4 digits count size length limit status state version algorithm
  id ids at on until expiry expires expired enabled required verified confirmed visible policy score`.split(
    /\s+/,
  ),
);

/** Words before `hash` or `token` that make the value public: `file_hash`. */
const harmless = new Set(
  "file content image blob commit git block tx transaction page visual tag hash".split(" "),
);

const secrets =
  `token tokens secret secrets hash passphrase passcode otp totp cvv cvc ssn iban bban credential credentials
  apikey privatekey pincode jwt jwts salt`.split(/\s+/);
const secretPairs = `api_key api_keys private_key access_key secret_key signing_key encryption_key backup_code
  backup_codes recovery_code recovery_codes social_security card_number bank_account account_number passport_number
  tax_number pin_code session_key auth_key webhook_key magic_link magic_links reset_code`.split(/\s+/);

/** Whether a name has a word for a secret: token, secret, hash, API key, card number and others. */
export function looksSecret(name: string): boolean {
  const words = withoutNumbers(wordsOf(name));
  // The id of a session works as a credential.
  if (pairsOf(words).at(-1) === "session_id") return true;
  if (isAspect(wordsOf(name))) return false;
  const single = words.some((word, index) => {
    const before = words[index - 1] ?? "";
    return secrets.includes(word) && !(["hash", "token"].includes(word) && harmless.has(before));
  });
  return single || pairsOf(words).some((pair) => secretPairs.includes(pair));
}

/** Whether a name is that of a password, not of a property of it. */
export function looksLikePassword(name: string): boolean {
  return ["password", "passwd", "pwd", "passphrase"].includes(withoutNumbers(wordsOf(name)).at(-1) ?? "");
}

const personal = `phone telephone mobile email mail street address birth birthday birthdate born dob`.split(
  /\s+/,
);
const technicalAddresses = new Set("mac web wallet contract memory site page url".split(" "));

/** Whether a name is that of personal data: phone, address, birth. */
export function looksPersonal(name: string): boolean {
  const words = withoutNumbers(wordsOf(name));
  const [last = "", before = ""] = [...words].reverse();
  if (last === "on" || last === "at") return ["born", "birth"].includes(before);
  if (isAspect(wordsOf(name)) || (last === "address" && technicalAddresses.has(before))) return false;
  return words.some((word) => personal.includes(word));
}

function isAspect(words: readonly string[]): boolean {
  return [words, withoutNumbers(words)].some((list) => aspects.has(list.at(-1) ?? ""));
}

/** `token1` and `token_2` count as `token`. */
function withoutNumbers(words: readonly string[]): string[] {
  return words.map((word) => word.replace(/\d+$/, "")).filter((word) => word !== "");
}

function pairsOf(words: readonly string[]): string[] {
  return words.slice(1).map((word, index) => `${words[index]}_${word}`);
}
