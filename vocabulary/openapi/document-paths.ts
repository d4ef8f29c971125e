/** Path of the OpenAPI document. It is never below `service_prefix`. */
export const openApiPath = "/openapi.json";

/** Default path of the page that shows the document, also never below `service_prefix`. Its files are below it. */
export const defaultDocsPath = "/docs";
