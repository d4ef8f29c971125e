/**
 * Starts Swagger UI. If each caller has a document, Authorize loads that of the entered credential, which stays in the memory of
 * this tab.
 */
const page = document.getElementById("page");
const { document: url = "", scope } = page?.dataset ?? {};

/** @param {Readonly<Record<string, string>>} headers */
async function load(headers) {
  const response = await fetch(url, { headers });
  const loaded = await response.json();
  if (!response.ok) throw new Error(loaded.message);
  // Behind a proxy, the service can be below a path that it does not know.
  loaded.servers = [{ url: new URL(".", response.url).pathname }];
  // Otherwise Swagger UI fills in every filter.
  for (const parameter of Object.values(loaded.components?.parameters ?? {}))
    if (parameter.name === "where") parameter.example = {};
  return loaded;
}

/** @param {System} system */
function credentialOf({ authSelectors }) {
  const { bearer, apiKey } = authSelectors.authorized()?.toJS() ?? {};
  return {
    ...(bearer && { Authorization: `Bearer ${bearer.value}` }),
    ...(apiKey && { "X-API-Key": apiKey.value }),
  };
}

/** @type {Wrap} */
const thenLoad = (original, system) => async (payload) => {
  original(payload);
  system.errActions.clear();
  try {
    system.specActions.updateSpec(JSON.stringify(await load(credentialOf(system))));
  } catch (error) {
    system.errActions.newThrownErr(error);
  }
};
const followCaller = () => ({
  statePlugins: { auth: { wrapActions: { authorize: thenLoad, logout: thenLoad } } },
});

SwaggerUIBundle({
  domNode: page,
  spec: await load({}),
  validatorUrl: null,
  showExtensions: true,
  docExpansion: "none",
  plugins: scope === "caller" ? [followCaller] : [],
});
