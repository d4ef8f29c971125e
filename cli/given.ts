/** What a command line holds, as yargs has read it. Names of flags are those that a command declares. */
export class Given<Name extends string = string> {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values;
  }

  /** Whether a switch is on. */
  has(name: Name): boolean {
    return this.#values[name] === true;
  }

  /** The text of a flag; null where it is not given, and has no default. */
  text(name: Name): string | null {
    const value = this.#values[name];
    return value === undefined ? null : String(value);
  }

  /** The text of a flag that has a default. */
  value(name: Name): string {
    return String(this.#values[name]);
  }

  /** The texts of a flag that may be repeated. */
  texts(name: Name): readonly string[] {
    const value = this.#values[name];
    return Array.isArray(value) ? value.map(String) : [];
  }

  /** The number of a flag; null where it is not given, and has no default. */
  number(name: Name): number | null {
    const value = this.#values[name];
    return typeof value === "number" ? value : null;
  }

  /** The words that stand without a flag. */
  get words(): readonly string[] {
    const words = this.#values["_"];
    return Array.isArray(words) ? words.map(String) : [];
  }
}
