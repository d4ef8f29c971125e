/** Why something is not recorded. Its message names the key, and never the value. */
export class Malformed extends Error {
  override readonly name = "Malformed";
}

const longestText = 255;
/** What is shown of a message is much shorter; this much is left to be masked before it is cut. */
const longestMessage = 8_192;

/** What code of an app gives to be recorded: reads each key once, and refuses what does not fit. */
export class GivenRecord {
  readonly #given: object;
  readonly #place: string;

  /** `place` is where it stands, for messages; empty: it stands alone. */
  constructor(given: unknown, place: string) {
    this.#place = place;
    if (typeof given !== "object" || given === null || Array.isArray(given))
      throw new Malformed(place === "" ? "it is no object" : `${place} is no object`);
    this.#given = given;
  }

  /** A name or an id. */
  text(key: string): string {
    return this.optionalText(key) ?? this.#refuse(key, "is missing");
  }

  optionalText(key: string): string | null {
    const value = this.#valueOf(key);
    if (value === null) return null;
    if (typeof value !== "string") return this.#refuse(key, "is no text");
    if (value === "" || value.length > longestText)
      return this.#refuse(key, `must have 1 to ${longestText} characters`);
    return value;
  }

  /** An id as a text; ids of users are numbers, too. */
  optionalId(key: string): string | null {
    const value = this.#valueOf(key);
    return Number.isSafeInteger(value) ? String(value) : this.optionalText(key);
  }

  /** A text for people, cut where it is too long. */
  message(key: string): string | null {
    const value = this.#valueOf(key);
    if (value === null) return null;
    return typeof value === "string" ? value.slice(0, longestMessage) : this.#refuse(key, "is no text");
  }

  /** A whole number of at least 0. */
  count(key: string): number {
    const value = this.amount(key);
    return Number.isSafeInteger(value) ? value : this.#refuse(key, "is no whole number");
  }

  /** A number of at least 0. */
  amount(key: string): number {
    const value = this.#valueOf(key);
    if (value === null) return this.#refuse(key, "is missing");
    if (typeof value === "number" && Number.isFinite(value) && value >= 0) return value;
    return this.#refuse(key, "is no number of at least 0");
  }

  oneOf<const Value extends string>(key: string, values: readonly Value[]): Value {
    const sent = this.#valueOf(key);
    return values.find((value) => value === sent) ?? this.#refuse(key, `is none of ${values.join(", ")}`);
  }

  /** Empty where there is none. */
  list(key: string, most: number): readonly unknown[] {
    const value = this.#valueOf(key);
    if (value === null) return [];
    if (!Array.isArray(value)) return this.#refuse(key, "is no list");
    // A hole is nothing that could be read.
    return value.length > most ? this.#refuse(key, `has more than ${most} entries`) : Array.from(value);
  }

  /** Null for what is not there. */
  #valueOf(key: string): unknown {
    return Reflect.get(this.#given, key) ?? null;
  }

  #refuse(key: string, why: string): never {
    throw new Malformed(`${this.#place === "" ? key : `${this.#place}.${key}`} ${why}`);
  }
}
