/** Starts GraphiQL with the committed schema, because the service refuses introspection. */
const page = document.getElementById("page");
const response = await fetch("schema.graphql");
const schema = GraphiQL.GraphQL.buildSchema(await response.text());
const fetcher = GraphiQL.createFetcher({
  url: page?.dataset.endpoint ?? "",
  // The response has GraphQL's own format.
  headers: { Accept: "application/graphql-response+json" },
});
ReactDOM.createRoot(page).render(React.createElement(GraphiQL, { schema, fetcher }));
