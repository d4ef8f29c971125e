import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  parse,
} from "graphql";
import { checkTokens } from "./check-tokens.ts";
import { refuse, refuseText } from "./document-problem.ts";
import { checkRules } from "./rules.ts";

/** A text that passed every check which needs neither models nor the name of an operation. */
export interface Parsed {
  readonly tokens: number;
  readonly operations: readonly OperationDefinitionNode[];
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
}

/** Parses and checks a text. Errors: 400 `VALIDATION_ERROR`; 403 `PERMISSION_DENIED` for introspection. */
export function parseText(text: string): Parsed {
  const tokens = checkTokens(text);
  const document = parseDocument(text);
  checkRules(document);
  const operations: OperationDefinitionNode[] = [];
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of document.definitions) {
    if (node.kind === Kind.OPERATION_DEFINITION) operations.push(node);
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
  }
  if (operations.some(({ operation }) => operation === "subscription")) {
    throw refuse("query", "subscriptions are not supported");
  }
  return { tokens, operations, fragments };
}

/** Nodes without their places: these would keep every token in memory for as long as the document is remembered. */
function parseDocument(text: string): DocumentNode {
  try {
    return parse(text, { noLocation: true });
  } catch (error) {
    throw error instanceof GraphQLError ? refuseText(error) : error;
  }
}
