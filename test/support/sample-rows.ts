/** UUIDs in lists of `sampleRows`. */
export const sampleUuids = [
  "1a000000-0000-4000-8000-000000000001",
  "2b000000-0000-4000-8000-000000000002",
] as const;

/** Row 1 holds the lower value of each field, row 2 the higher one, row 3 nothing. Lists are PostgreSQL's texts of arrays. */
export const sampleRows = {
  samples: [
    {
      id: 1,
      name: "one",
      decimal: "-99999999.99",
      bigint: "-9223372036854775808",
      time: "00:00:00",
      wide: "0.000000000000000000000000000001",
      whole: "9007199254740993",
      rate: "0.07",
      level: "1",
      serial: "9007199254740993",
      strings: "{apple pie,plum}",
      texts: "{first}",
      emails: "{a@example.org}",
      integers: "{-5,7}",
      bigints: "{9007199254740993}",
      decimals: "{1.5}",
      floats: "{0.5,1e300}",
      booleans: "{false}",
      datetimes: "{2026-01-01T10:00:00Z}",
      dates: "{2026-01-31}",
      times: "{12:30}",
      uuids: `{${sampleUuids[0]}}`,
      price: null,
      step: null,
      opens: null,
    },
    {
      id: 2,
      name: "two",
      decimal: "12.50",
      bigint: "9223372036854775807",
      time: "23:59:59.999",
      wide: "999999999999999999999999999999.000000000000000000000000000001",
      whole: "9007199254740994",
      rate: "0.19",
      level: "9007199254740993",
      serial: "9007199254740994",
      parent: "9007199254740993",
      strings: "{banana}",
      texts: "{second}",
      emails: "{b@example.com}",
      integers: "{2147483647}",
      bigints: "{9007199254740994,-1}",
      decimals: "{1.501}",
      floats: "{-0.25}",
      booleans: "{true,true}",
      datetimes: "{2026-01-02T10:00:00.5Z}",
      dates: "{2026-02-28}",
      times: "{23:59:59.999}",
      uuids: `{${sampleUuids[1]}}`,
      price: null,
      step: null,
      opens: null,
    },
    { id: 3, price: null, step: null, opens: null },
  ],
};

/** Ids that `thingRows` refer to. */
export const owner = "0a000000-0000-4000-8000-00000000000a";
export const uuids = [
  "1a000000-0000-4000-8000-000000000001",
  "2b000000-0000-4000-8000-000000000002",
] as const;

/** Row 1 holds the lower value of each field, row 2 the higher one, row 3 nothing. */
// biome-ignore format: several rows a line
export const thingRows = {
  owners: [{ id: owner, user_id: 1 }, { id: uuids[0], user_id: 2 }],
  things: [
    { id: 1, string: "apple pie", text: "c:\\first", integer: -5, float: 0.5, boolean: false, datetime: "2026-01-01T10:00:00Z",
      timestamp: "1999-12-31T23:59:59.999Z", date: "2026-01-31", email: "a@example.org", json: { a: 1 }, uuid: uuids[0], password: "x", size: "large",
      grade: 1, owner_id: owner, created_at: "2026-01-01T00:00:00Z", updated_at: "2026-01-01T00:00:00Z" },
    { id: 2, string: "banana", text: "second", integer: 2147483647, float: 1e300, boolean: true, datetime: "2026-01-02T10:00:00.5Z",
      timestamp: "2026-01-01T00:00:00Z", date: "2026-02-28", email: "b@example.com", json: [], uuid: uuids[1], password: "y", size: "small", grade: 2,
      owner_id: uuids[0], twin_id: 1, created_at: "2026-01-02T00:00:00Z", updated_at: "2026-01-02T00:00:00Z" },
    { id: 3, created_at: "2025-01-01T00:00:00Z", updated_at: "2025-01-01T00:00:00Z" },
  ],
};
