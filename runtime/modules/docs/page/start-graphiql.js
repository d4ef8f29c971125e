/** Starts GraphiQL with the committed schema, because the service refuses introspection. */
const page = document.getElementById("page");
const response = await fetch("schema.graphql");
const schema = GraphiQL.GraphQL.buildSchema(await response.text());
const fetcher = GraphiQL.createFetcher({
  url: page?.dataset.endpoint ?? "",
  // The response has GraphQL's own format.
  headers: { Accept: "application/graphql-response+json" },
});
document.body.style.margin = "0";
page?.style.setProperty("height", "100dvh");
ReactDOM.createRoot(page).render(React.createElement(GraphiQL, { schema, fetcher }));
