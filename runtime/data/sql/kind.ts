/** How the values of one kind are read from requests, stored and answered. */
export interface Kind {
  /** The PostgreSQL type that bound values are cast to. */
  readonly sqlType: string;
  /** What a request must send, for messages: "a whole number". */
  readonly expected: string;
  /** A value of a filter (JSON scalar or text of a query string), ready to bind; undefined when it does not fit. Lists are read element by element. */
  readonly parse: (value: unknown) => string | number | boolean | undefined;
  /** PostgreSQL's text of a value, as JSON text. Errors: `UnheldValue`. */
  readonly toJson: (text: string) => string;
  /** SQL around a column (`?`) that PostgreSQL's own JSON functions then write as `toJson` does. */
  readonly jsonSql: string;
  /** SQL that tells whether a column (`?`, perhaps several times) holds a value that the API does not; null where no value is such. */
  readonly unheldSql: string | null;
}
