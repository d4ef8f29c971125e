/** A part of a schema, and a schema, which the generator does not see from another file. */
export const minimum = 1;
export const seats = { type: "object", properties: { seats: { type: "integer" } } } as const;
