export { catalogue, type DiagnosticCode } from "./catalogue.ts";
export { createReporter, type Diagnostic, type Report, type Sources, type Span } from "./diagnostic.ts";
export { didYouMean, nearest } from "./nearest.ts";
export { renderDiagnostics } from "./render.ts";
