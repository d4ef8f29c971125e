/** One kind of request, the same for every server. `n` counts up, so that requests differ. */
export interface Scenario {
  readonly name: string;
  readonly method: "GET" | "POST" | "PUT";
  readonly path: (n: number) => string;
  readonly body?: (n: number) => unknown;
  readonly headers?: (n: number) => Readonly<Record<string, string>>;
  /** Sent without a token, as by whoever visits a public page. */
  readonly isPublic?: true;
}

/** Rows of `authors` in the database before the first scenario. */
export const rows = 10_000;

const id = (n: number): number => 1 + ((n * 7919) % rows);

export const scenarios: readonly Scenario[] = [
  { name: "one row by id", method: "GET", path: (n) => `/authors/fetch?id=${id(n)}` },
  {
    name: "one row by id, by a guest",
    method: "GET",
    path: (n) => `/authors/fetch?id=${id(n)}`,
    isPublic: true,
  },
  {
    name: "ten rows filtered, ordered, with total",
    method: "GET",
    path: (n) => `/authors/fetch?country=C${n % 10}&order_by=name&order=DESC&page=1&limit=10`,
  },
  {
    name: "ten rows filtered, ordered",
    method: "GET",
    path: (n) => `/authors/fetch?country=C${n % 10}&order_by=name&order=DESC&limit=10`,
  },
  {
    name: "100 rows",
    method: "GET",
    path: (n) => `/authors/fetch?id__gte=${1 + ((n * 100) % 5_000)}&limit=100&order_by=id`,
  },
  { name: "count", method: "GET", path: (n) => `/authors/count?country=C${n % 10}` },
  {
    name: "create",
    method: "POST",
    path: () => "/authors/create",
    body: (n) => ({
      data: { name: `Author ${n}`, country: "XX", born_on: "1970-01-02", biography: "Wrote much." },
    }),
  },
  {
    name: "update",
    method: "PUT",
    path: () => "/authors/update",
    body: (n) => ({ where: { id: id(n) }, data: { biography: `Wrote ${n} books.` } }),
  },
];
