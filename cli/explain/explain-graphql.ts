import { loadEndpoint, ModelRegistry, RootFailure, type RootRequest } from "#runtime/api/graphql/index";
import { ServiceError } from "#runtime/core/errors/index";
import { readFilters, readListInput } from "#runtime/data/operations/index";
import { type AskedInput, isRead, objectOf } from "./asked-input.ts";
import { askingCaller } from "./asking-caller.ts";
import { answeredBy, explainSubject, onlyReads } from "./explain.ts";
import { checkStatementFlags, explainedStatements } from "./explain-statements.ts";
import {
  allowed,
  denied,
  type ExplainedDocument,
  type ExplainRequest,
  verdictOf,
  WrongArguments,
} from "./explanation.ts";
import { type ExplainedApp, explainedSubject, type Subject } from "./subject.ts";
import { refusalIn, trial } from "./trial.ts";

const limits = { maxDepth: 20, maxRootFields: 100, maxComplexity: 10_000 };

/** Explains each root field of a document, and what the service answers to the whole. Errors: WrongArguments. */
export async function explainDocument(
  app: ExplainedApp,
  request: ExplainRequest,
): Promise<ExplainedDocument> {
  const { graphql: query, variables: given } = request;
  const variables = given === null ? {} : objectOf("--variables", given);
  const withoutHooks = <Entry extends object>(entry: Entry) => ({ ...entry, hooks: {} });
  const { models, internalModels } = app.service;
  const registry = new ModelRegistry(models.map(withoutHooks), internalModels);
  const caller = await askingCaller(request.as, app);
  const explained: (Awaited<ReturnType<typeof explainSubject>> & Asked)[] = [];
  const { statements, error } = await trial(app, caller.principal, async (services, as) => {
    const endpoint = await loadEndpoint({ registry, hooks: {}, limits, services, counters: new Map() });
    const asked = requestsOf(app, () => endpoint.requests({ query, variables }));
    const reads = asked.every(({ subject }) => isRead(subject.operation));
    checkStatementFlags(request, reads);
    if (reads) await onlyReads(app);
    for (const one of asked)
      explained.push({ ...one, ...(await explainSubject(one.subject, caller, one.input)) });
    if (caller.note === null) await endpoint.answer({ query, variables }, as);
  });
  const failed = error instanceof RootFailure ? error.key : null;
  const refusal = refusalIn(error instanceof RootFailure ? error.cause : error);
  const fields = explained.map(({ key, subject, input, explanation, isRefused }) => ({
    key,
    explanation:
      isRefused || (refusal !== null && key !== failed)
        ? explanation
        : answeredBy(explanation, subject, input, refusal),
  }));
  const refused = fields.find(({ explanation }) => explanation.answer.outcome !== "allowed");
  const ofAll = refusal === null ? allowed : verdictOf(refusal);
  return {
    fields,
    statements: await explainedStatements(app, statements, request, explained),
    answer: refused?.explanation.answer ?? (caller.note === null ? ofAll : denied(caller.note)),
  };
}

interface Asked {
  readonly key: string;
  readonly subject: Subject;
  readonly input: AskedInput;
}

function requestsOf(app: ExplainedApp, read: () => readonly RootRequest[]): Asked[] {
  try {
    return read().map(({ key, model, operation, ...input }) => {
      const subject = explainedSubject(app, `${model}.${operation}`);
      return { key, subject, input: inputOf(subject, input) };
    });
  } catch (error) {
    const cause = error instanceof RootFailure ? error.cause : error;
    throw cause instanceof ServiceError ? new WrongArguments(`--graphql: ${cause.message}`) : cause;
  }
}

/** Input with problems is left out: the service refuses it. */
function inputOf(
  { model }: Subject,
  { list, ids, data, problems, ...named }: Omit<RootRequest, "key" | "model" | "operation">,
): AskedInput {
  const isWhole = problems.length === 0;
  const filters = ids === undefined ? named.filters : readFilters(model, [["id__in", ids]], []);
  return {
    rows: filters === undefined || !isWhole ? null : { by: "where", filters },
    list: list !== undefined && isWhole ? list : readListInput(model, [], new Map(), []),
    data: isWhole ? (data ?? null) : null,
  };
}
