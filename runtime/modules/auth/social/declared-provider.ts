import { isJsonObject } from "../../../../vocabulary/json.ts";
import type { SocialProvider, Templates } from "../../../../vocabulary/social/provider.ts";
import type { DeclaredProvider } from "../../../core/config/index.ts";
import { type Answers, fillAddress, fillText, type Lookup, readPath } from "./conversation/paths.ts";

/** A declared provider: its row of the table, and the app's settings. */
export class Provider<Row extends SocialProvider = SocialProvider> {
  readonly name: string;
  readonly row: Row;
  /** The URL that the provider redirects to. */
  readonly callbackUrl: string;
  readonly #declared: DeclaredProvider;

  constructor(declared: DeclaredProvider, row: Row) {
    this.name = declared.name;
    this.row = row;
    this.callbackUrl = declared.callbackUrl;
    this.#declared = declared;
  }

  /** Returns a string setting as templates use it (`choices`); null if it is not set. */
  readonly text = (setting: string): string | null => {
    const value = this.#declared.settings[setting];
    if (typeof value !== "string") return null;
    const chosen = this.row.settings?.choices?.[setting]?.[value] ?? value;
    // A default can name other settings.
    return this.row.settings?.defaults?.[setting] === value ? fillText(chosen, this.text) : chosen;
  };

  /** Returns a list setting; null if it is not set. */
  list(setting: string): readonly string[] | null {
    const value = this.#declared.settings[setting];
    return Array.isArray(value) ? value.map(String) : null;
  }

  /** Returns a boolean setting; null if it is not set. */
  isOn(setting: string): boolean | null {
    const value = this.#declared.settings[setting];
    return typeof value === "boolean" ? value : null;
  }

  /** Returns a setting that is an object of strings; an empty object if it is not set. */
  texts(setting: string): Templates {
    const value = this.#declared.settings[setting];
    if (!isJsonObject(value)) return {};
    return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)]));
  }

  /** Returns a setting as in the manifest. */
  raw(setting: string): unknown {
    return this.#declared.settings[setting];
  }

  /** Returns a secret; null if it is not set. */
  secret(setting: string): string | null {
    const key = this.#declared.secrets[setting];
    return key === undefined ? null : key.export().toString("utf8");
  }

  /** The provider's name on sign-in pages. */
  get title(): string {
    return this.text("title") ?? this.row.title;
  }

  get clientId(): string {
    return this.text("client_id") ?? "";
  }

  get clientSecret(): string {
    return this.secret("client_secret") ?? "";
  }

  /**
   * Returns the lookup for templates: `more`, settings, secrets, and paths into the responses. If `more` has
   * a name, the other sources are not searched for it.
   */
  lookup(answers: Answers = {}, more: Readonly<Record<string, string | null>> = {}): Lookup {
    return (name) =>
      Object.hasOwn(more, name)
        ? (more[name] ?? null)
        : (this.text(name) ?? this.secret(name) ?? this.#answer(name, answers));
  }

  /** Reads a path, or the callback parameter of the row. No other parameter can replace a missing setting. */
  #answer(name: string, answers: Answers): string | null {
    if (name.includes(":")) return readPath(name, answers);
    return name === this.row.callbackParameter ? readPath(`form:${name}`, answers) : null;
  }

  /** Returns an endpoint: from the setting, or else from the row. Errors: `SocialFailure`. */
  endpoint(setting: string, template: string, lookup: Lookup = this.lookup()): URL {
    const set = this.text(setting);
    return set === null ? fillAddress(template, lookup) : new URL(set);
  }

  /** Returns the scopes to request: those of the row, unless the app ignores them, and of the settings. */
  scopes(scopes: readonly string[]): readonly string[] {
    const standard = this.isOn("ignore_default_scope") === true ? [] : scopes;
    return [...new Set([...standard, ...(this.list("scope") ?? [])])];
  }
}
