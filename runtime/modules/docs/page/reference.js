/**
 * Starts Swagger UI. If each caller has its document, Authorize loads that of the entered credential. The credential stays in
 * the memory of this tab.
 */
const page = document.getElementById("page");
const { document: url = "", scope } = page?.dataset ?? {};

/** @param {System} system */
function credentialOf({ authSelectors }) {
  const { bearer, apiKey } = authSelectors.authorized()?.toJS() ?? {};
  return {
    ...(bearer && { Authorization: `Bearer ${bearer.value}` }),
    ...(apiKey && { "X-API-Key": apiKey.value }),
  };
}

/** @param {System} system */
async function loadAgain(system) {
  const response = await fetch(url, { headers: credentialOf(system) });
  const text = await response.text();
  system.errActions.clear();
  if (response.ok) system.specActions.updateSpec(text);
  else system.errActions.newThrownErr(new Error(JSON.parse(text).message));
}

/** @type {Wrap} */
const thenLoad = (original, system) => (payload) => {
  original(payload);
  loadAgain(system);
};
const followCaller = () => ({
  statePlugins: { auth: { wrapActions: { authorize: thenLoad, logout: thenLoad } } },
});

SwaggerUIBundle({
  domNode: page,
  url,
  validatorUrl: null,
  showExtensions: true,
  plugins: scope === "caller" ? [followCaller] : [],
});
