/** The types that JSON Schemas of custom code give its values. */

import type { SchemaType } from "#runtime/hooks/context/index";

declare function typed<const Schema>(schema: Schema): SchemaType<Schema>;

const order = typed({
  type: "object",
  properties: {
    id: { type: "integer", minimum: 1 },
    state: { type: "string", enum: ["open", "sent"] },
    note: { type: ["string", "null"], default: null },
    lines: {
      type: "array",
      items: { type: "object", properties: { book: { type: "integer" } }, required: ["book"] },
    },
    labels: { type: "object", additionalProperties: { type: "string" } },
    address: {
      anyOf: [
        { type: "object", properties: { street: { type: "string" } }, required: ["street"] },
        { type: "null" },
      ],
    },
  },
  required: ["id", "lines", "address"],
});

order.id.toFixed();
order.labels?.["anything"]?.trim();
order.address?.street.trim();
for (const { book } of order.lines) book.toFixed();
const state: "open" | "sent" | undefined = order.state;
const note: string | null | undefined = order.note;
// @ts-expect-error optional fields can be missing
order.state.trim();
// @ts-expect-error fields that the schema does not name do not exist
order.more;
// @ts-expect-error nor further down
order.lines[0]?.more;
// @ts-expect-error nor in one of several
order.address?.more;
// @ts-expect-error of one type and not of the other
order.id.trim();

const open = typed({ type: "object", properties: { id: { type: "integer" } }, additionalProperties: true });
open["more"];

export const values = { state, note };
