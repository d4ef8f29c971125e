export { catalogue, type DiagnosticCode, isFinding, isProposal, isSilenceable } from "./catalogue.ts";
export {
  createLocator,
  createReporter,
  type Diagnostic,
  diagnosticsOf,
  type Finding,
  type Location,
  type Report,
  type SilencedDiagnostic,
  type Sources,
  type Span,
} from "./diagnostic.ts";
export { renderDiagnostics } from "./render.ts";
