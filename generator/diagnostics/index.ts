export { didYouMean, nearest, typingDistance } from "../../vocabulary/nearest.ts";
export { catalogue, type DiagnosticCode, isFinding, isSilenceable } from "./catalogue.ts";
export {
  createLocator,
  createReporter,
  type Diagnostic,
  diagnosticsOf,
  type Finding,
  type Location,
  type Report,
  type Sources,
  type Span,
} from "./diagnostic.ts";
export { renderDiagnostics } from "./render.ts";
