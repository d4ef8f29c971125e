/**
 * Starts Swagger UI. If each caller has a document, Authorize loads that of the entered credential, which stays in the memory of
 * this tab.
 */
const page = document.getElementById("page");
const { document: url = "", scope } = page?.dataset ?? {};

/** @param {Readonly<Record<string, string>>} headers */
async function load(headers) {
  let response = await fetch(url, { headers });
  // A cookie that is not valid any more: guests have a document too, and Authorize takes another credential.
  if (response.status === 401 && Object.keys(headers).length === 0)
    response = await fetch(url, { credentials: "omit" });
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

/** @typedef {{ readonly [key: string]: unknown }} Part */

/**
 * @param {unknown} value
 * @returns {value is Part}
 */
const isPart = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
/** @param {unknown} value */
const partOf = (value) => (isPart(value) ? value : {});

/** A schema with the constraints of both. `true` in `properties` only repeats a name. @type {(one: Part, other: Part) => Part} */
const both = (one, other) => {
  const added = Object.entries(partOf(other["properties"])).filter(([, each]) => each !== true);
  const properties = { ...partOf(one["properties"]), ...Object.fromEntries(added) };
  return { ...one, ...other, ...(Object.keys(properties).length > 0 && { properties }) };
};

/**
 * Replaces references by what they refer to, and merges `allOf`, as the examples need it. Swagger UI's own function parses the whole
 * document again for each operation, which takes seconds.
 *
 * @param {unknown} whole
 * @param {readonly string[]} path
 */
const resolveSubtree = async (whole, path) => {
  /** @param {readonly string[]} keys */
  const at = (keys) => keys.reduce((value, key) => Object(value)[key], whole);
  /** @type {(value: unknown, above: readonly string[]) => unknown} */
  const resolved = (value, above) => {
    if (Array.isArray(value)) return value.map((each) => resolved(each, above));
    if (!isPart(value)) return value;
    const { $ref, ...others } = value;
    // A schema can refer to itself.
    if (typeof $ref === "string" && above.includes($ref)) return value;
    const isReference = typeof $ref === "string";
    const target = isReference ? resolved(at($ref.split("/").slice(1)), [...above, $ref]) : {};
    const own = Object.entries(isReference ? others : value).map(([key, each]) => [
      key,
      resolved(each, above),
    ]);
    const joined = { ...partOf(target), ...Object.fromEntries(own) };
    const { allOf, ...rest } = joined;
    return Array.isArray(allOf) ? [...allOf.map(partOf), rest].reduce(both) : joined;
  };
  return { spec: resolved(at(path), []), errors: [] };
};
const resolveQuickly = () => ({ fn: { resolveSubtree } });

const spec = await load({}).catch((error) => {
  if (page !== null) page.textContent = `The document cannot be loaded: ${error.message}. Reload this page.`;
  throw error;
});

SwaggerUIBundle({
  domNode: page,
  spec,
  validatorUrl: null,
  showExtensions: true,
  docExpansion: "none",
  plugins: scope === "caller" ? [resolveQuickly, followCaller] : [resolveQuickly],
});
