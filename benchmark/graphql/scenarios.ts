import { rows, type Scenario } from "../scenarios.ts";
import { shopRows } from "./shop-rows.ts";

/** A document, the same each time, and its variables, which differ. */
export interface GraphqlRequest {
  readonly query: string;
  readonly variables: (n: number) => object;
}

/** A document and its variables as they are sent. */
export function graphqlRequest(name: string, { query, variables }: GraphqlRequest): Scenario {
  return {
    name,
    method: "POST",
    path: () => "/graphql",
    body: (n) => ({ query, variables: variables(n) }),
  };
}

/** One question that both GraphQL servers answer with the same rows; `rest` asks it over REST where that can. */
export interface GraphqlScenario {
  readonly name: string;
  readonly kirak: GraphqlRequest;
  readonly postgraphile: GraphqlRequest;
  readonly rest?: (n: number) => string;
  /** Makes our rows of PostGraphile's data, where aliases do not. */
  readonly rowsOf?: (data: unknown) => unknown;
}

const author = "id name country born_on biography website contact_email created_at updated_at";
const theirAuthor =
  "id: rowId name country born_on: bornOn biography website contact_email: contactEmail created_at: createdAt updated_at: updatedAt";

const byId = (n: number) => ({ id: 1 + ((n * 7919) % rows) });
const byCountry = (n: number) => ({ country: `C${n % 10}` });
const byOffset = (n: number) => ({ offset: n % 500 });
const byCustomer = (n: number) => ({ customer: 1 + (n % shopRows.customers) });

/** What PostGraphile says of one group. */
interface Group {
  readonly keys: readonly string[];
  readonly sum: { readonly total: string };
  readonly average: { readonly total: string };
  readonly max: { readonly total: string };
}

function groupsOf(data: unknown): unknown {
  const { orders } = data as { orders: { groups: readonly Group[] } };
  return orders.groups.map(({ keys, sum, average, max }) => ({
    status: keys[0],
    sum_total: sum.total,
    avg_total: average.total,
    max_total: max.total,
  }));
}

export const graphqlScenarios: readonly GraphqlScenario[] = [
  {
    name: "GraphQL, one row by id",
    kirak: { query: `query ($id: BigInt!) { authors(id: $id) { ${author} } }`, variables: byId },
    postgraphile: {
      query: `query ($id: BigInt!) { author: authorByRowId(rowId: $id) { ${theirAuthor} } }`,
      variables: byId,
    },
    rowsOf: (data) => Object.values(data as object),
    rest: (n) => `/authors/fetch?id=${byId(n).id}`,
  },
  {
    name: "GraphQL, ten rows filtered, ordered",
    kirak: {
      query: `query ($country: String!) { authors(country: $country, orderBy: name__desc, limit: 10) { ${author} } }`,
      variables: byCountry,
    },
    postgraphile: {
      query: `query ($country: String!) {
        authors: allAuthorsList(condition: { country: $country }, orderBy: NAME_DESC, first: 10) { ${theirAuthor} } }`,
      variables: byCountry,
    },
    rest: (n) => `/authors/fetch?country=${byCountry(n).country}&order_by=name&order=DESC&limit=10`,
  },
  {
    name: "GraphQL, 100 rows",
    kirak: {
      query: `query ($country: String!) { authors(country: $country, orderBy: id, limit: 100) { ${author} } }`,
      variables: byCountry,
    },
    postgraphile: {
      query: `query ($country: String!) {
        authors: allAuthorsList(condition: { country: $country }, first: 100) { ${theirAuthor} } }`,
      variables: byCountry,
    },
    rest: (n) => `/authors/fetch?country=${byCountry(n).country}&order_by=id&limit=100`,
  },
  {
    name: "GraphQL, ten rows with a join",
    kirak: {
      query: `query ($offset: Int!) { books(orderBy: id, limit: 10, offset: $offset) {
        id title price published_at author { id name } } }`,
      variables: byOffset,
    },
    postgraphile: {
      query: `query ($offset: Int!) { books: allBooksList(first: 10, offset: $offset) {
        id: rowId title price published_at: publishedAt author: authorByAuthorId { id: rowId name } } }`,
      variables: byOffset,
    },
  },
  {
    name: "GraphQL, 100 rows with lists in lists",
    kirak: {
      query: `query ($country: String!) { authors(country: $country, orderBy: id, limit: 100) {
        id name books { id title price reviews { rating title } } } }`,
      variables: byCountry,
    },
    postgraphile: {
      query: `query ($country: String!) { authors: allAuthorsList(condition: { country: $country }, first: 100) {
        id: rowId name books: booksByAuthorIdList(first: 10) {
          id: rowId title price reviews: reviewsByBookIdList(first: 10) { rating title } } } }`,
      variables: byCountry,
    },
  },
  {
    name: "GraphQL, 100 rows with lists and their parents",
    kirak: {
      query: `query ($customer: BigInt!) { orders(customer_id: $customer, orderBy: placed_at__desc, limit: 100) {
        id reference placed_at total items { quantity unit_price book { id title } } } }`,
      variables: byCustomer,
    },
    postgraphile: {
      query: `query ($customer: BigInt!) {
        orders: allOrdersList(condition: { customerId: $customer }, orderBy: PLACED_AT_DESC, first: 100) {
          id: rowId reference placed_at: placedAt total items: orderItemsByOrderIdList(first: 10) {
            quantity unit_price: unitPrice book: bookByBookId { id: rowId title } } } }`,
      variables: byCustomer,
    },
  },
  {
    name: "GraphQL, aggregate by group",
    kirak: {
      query: `query ($customer: BigInt!) { orders: orders_aggregate(customer_id: $customer, groupBy: status) {
        status sum { total } avg { total } max { total } } }`,
      variables: byCustomer,
    },
    postgraphile: {
      query: `query ($customer: BigInt!) { orders: allOrders(condition: { customerId: $customer }) {
        groups: groupedAggregates(groupBy: STATUS) { keys sum { total }
          average { total } max { total } } } }`,
      variables: byCustomer,
    },
    rowsOf: groupsOf,
  },
];
