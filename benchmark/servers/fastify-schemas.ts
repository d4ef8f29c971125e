/** What Fastify checks of a request, and by what it writes an answer. */
const text = { type: "string" } as const;
const orNull = { type: "string", nullable: true } as const;
const whole = { type: "integer" } as const;

const author = {
  type: "object",
  properties: {
    id: { type: "number" },
    name: text,
    country: orNull,
    born_on: orNull,
    biography: orNull,
    website: orNull,
    contact_email: orNull,
    created_at: { type: "string", format: "date-time" },
    updated_at: { type: "string", format: "date-time" },
  },
} as const;

const pagination = {
  type: "object",
  properties: {
    limit: whole,
    page: whole,
    offset: whole,
    total: whole,
    total_pages: whole,
    has_more: { type: "boolean" },
  },
} as const;

/** The envelope around an answer. */
function around<Data extends object>(data: Data) {
  return { type: "object", properties: { statusCode: whole, status: text, message: text, data, pagination } };
}

export const answerSchemas = {
  authors: around({ type: "array", items: author }),
  author: around(author),
  count: around({ type: "object", properties: { count: whole } }),
  updated: around({
    type: "object",
    properties: { updated_count: whole, updated_ids: { type: "array", items: { type: "number" } } },
  }),
};

export const inputSchemas = {
  list: {
    type: "object",
    properties: {
      id: whole,
      country: { type: "string", maxLength: 2 },
      page: { ...whole, minimum: 1 },
      limit: { ...whole, minimum: 1, maximum: 200 },
      id__gte: whole,
      order_by: { enum: ["id", "name"] },
      order: { enum: ["ASC", "DESC"] },
    },
    additionalProperties: false,
  },
  country: {
    type: "object",
    properties: { country: { type: "string", maxLength: 2 } },
    required: ["country"],
    additionalProperties: false,
  },
  creation: {
    type: "object",
    properties: {
      data: {
        type: "object",
        properties: {
          name: { type: "string", minLength: 1, maxLength: 120 },
          country: { type: "string", pattern: "^[A-Z]{2}$" },
          born_on: { type: "string", format: "date" },
          biography: { type: "string", maxLength: 10_000 },
        },
        required: ["name"],
        additionalProperties: false,
      },
    },
    required: ["data"],
    additionalProperties: false,
  },
  update: {
    type: "object",
    properties: {
      where: { type: "object", properties: { id: whole }, required: ["id"], additionalProperties: false },
      data: {
        type: "object",
        properties: { biography: { type: "string", maxLength: 10_000 } },
        required: ["biography"],
        additionalProperties: false,
      },
    },
    required: ["where", "data"],
    additionalProperties: false,
  },
  graphql: {
    type: "object",
    properties: { query: text, variables: { type: "object" } },
    required: ["query"],
    additionalProperties: false,
  },
};
