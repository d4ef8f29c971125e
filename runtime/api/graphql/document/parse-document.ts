import {
  type ASTVisitor,
  type DirectiveNode,
  type DocumentNode,
  ExecutableDefinitionsRule,
  type FragmentDefinitionNode,
  GraphQLError,
  GraphQLIncludeDirective,
  GraphQLSchema,
  GraphQLSkipDirective,
  Kind,
  KnownDirectivesRule,
  KnownFragmentNamesRule,
  Lexer,
  LoneAnonymousOperationRule,
  NoFragmentCyclesRule,
  NoUndefinedVariablesRule,
  NoUnusedFragmentsRule,
  NoUnusedVariablesRule,
  type OperationDefinitionNode,
  parse,
  Source,
  type Token,
  TokenKind,
  UniqueArgumentNamesRule,
  UniqueDirectivesPerLocationRule,
  UniqueFragmentNamesRule,
  UniqueInputFieldNamesRule,
  UniqueOperationNamesRule,
  UniqueVariableNamesRule,
  type ValidationContext,
  type ValidationRule,
  validate,
} from "graphql";
import { invalid, ServiceError } from "../../../core/errors/index.ts";

/** Messages of graphql-js quote parts of any length. */
const longestMessage = 200;

/** 400 `VALIDATION_ERROR` for a part of the body: `query`, `operationName` or a variable. */
export function refuse(field: string, message: string): ServiceError {
  return invalid([{ field, message }]);
}

/** For an error of graphql-js, with its position if known. */
function refuseText({ message, locations }: GraphQLError): ServiceError {
  const [place] = locations ?? [];
  const short = message.length > longestMessage ? `${message.slice(0, longestMessage)}…` : message;
  const where = place === undefined ? "" : ` (line ${place.line}, column ${place.column})`;
  return refuse("query", `${short.toWellFormed()}${where}`);
}

/** 403 `PERMISSION_DENIED`: introspection is never allowed. */
function refuseIntrospection(): ServiceError {
  return new ServiceError("PERMISSION_DENIED", "Introspection is not available.");
}

/** `manifest.graphql`. */
export interface Limits {
  /** 1 for a root field, plus 1 for each nested selection set; fragments add nothing. */
  readonly maxDepth: number;
  readonly maxRootFields: number;
  /** Selected fields after fragments, including root fields. */
  readonly maxComplexity: number;
}

/**
 * Limits of every query text. `nesting` counts open brackets: the parser calls itself for each, and 2,000
 * overflow the stack. `literals` are characters of arguments, which fragments multiply.
 */
export const textLimits = {
  bytes: 100_000,
  tokens: 2_000,
  directives: 50,
  nesting: 250,
  literalDepth: 64,
  literals: 1_000_000,
} as const;

const opened: Partial<Record<TokenKind, number>> = {
  [TokenKind.BRACE_L]: 1,
  [TokenKind.BRACKET_L]: 1,
  [TokenKind.PAREN_L]: 1,
  [TokenKind.BRACE_R]: -1,
  [TokenKind.BRACKET_R]: -1,
  [TokenKind.PAREN_R]: -1,
};

/**
 * Checks the tokens of a text before it is parsed, and returns their number. Errors: 400 for a text that is
 * too long or has invalid tokens; 403 for introspection anywhere.
 */
function checkTokens(text: string): number {
  if (Buffer.byteLength(text) > textLimits.bytes) {
    throw refuse("query", `is longer than ${textLimits.bytes} bytes`);
  }
  const seen = { tokens: 0, directives: 0, depth: 0, deepest: 0, nul: false };
  const lexer = new Lexer(new Source(text));
  for (let token = next(lexer); token.kind !== TokenKind.EOF; token = next(lexer)) {
    if (++seen.tokens > textLimits.tokens) throw refuse("query", `has more than ${textLimits.tokens} tokens`);
    look(token, seen);
  }
  // After the loop, since introspection is always 403.
  if (seen.deepest > textLimits.nesting) {
    throw refuse("query", `is nested deeper than ${textLimits.nesting} levels`);
  }
  if (seen.directives > textLimits.directives) {
    throw refuse("query", `has more than ${textLimits.directives} directives`);
  }
  if (seen.nul) throw refuse("query", "contains a NUL character in a string");
  return seen.tokens;
}

interface Seen {
  depth: number;
  deepest: number;
  directives: number;
  nul: boolean;
}

function look({ kind, value }: Token, seen: Seen): void {
  if (kind === TokenKind.NAME) {
    if (value === "__schema" || value === "__type") throw refuseIntrospection();
  } else if (kind === TokenKind.STRING || kind === TokenKind.BLOCK_STRING) {
    // The lexer rejects unpaired surrogates, but not NUL. PostgreSQL can store neither.
    seen.nul ||= value.includes("\0");
  } else {
    if (kind === TokenKind.AT) seen.directives++;
    seen.depth += opened[kind] ?? 0;
    seen.deepest = Math.max(seen.deepest, seen.depth);
  }
}

function next(lexer: Lexer): Token {
  try {
    return lexer.advance();
  } catch (error) {
    throw error instanceof GraphQLError ? refuseText(error) : error;
  }
}

/** Without types: the planner checks the models by the caller's role. */
const schema = new GraphQLSchema({
  assumeValid: true,
  directives: [GraphQLSkipDirective, GraphQLIncludeDirective],
});

/**
 * The rules of graphql-js that need no types and suggest no names. `KnownArgumentNamesOnDirectivesRule` does,
 * so `directiveArgumentRule` replaces it.
 */
const rules: readonly ValidationRule[] = [
  ExecutableDefinitionsRule,
  UniqueOperationNamesRule,
  LoneAnonymousOperationRule,
  UniqueFragmentNamesRule,
  KnownFragmentNamesRule,
  NoUnusedFragmentsRule,
  NoFragmentCyclesRule,
  UniqueVariableNamesRule,
  NoUndefinedVariablesRule,
  NoUnusedVariablesRule,
  KnownDirectivesRule,
  UniqueDirectivesPerLocationRule,
  UniqueArgumentNamesRule,
  UniqueInputFieldNamesRule,
  directiveArgumentRule,
  literalDepthRule,
];

/** Checks a document without models. Errors: 400 `VALIDATION_ERROR` for the first error. */
function checkRules(document: DocumentNode): void {
  const [first] = validate(schema, document, rules, { maxErrors: 1 });
  if (first !== undefined) throw refuseText(first);
}

/** `@skip` and `@include` have only the argument `if`, a Boolean or a variable. */
function directiveArgumentRule(context: ValidationContext): ASTVisitor {
  return {
    Directive(node) {
      if (!isCondition(node)) {
        context.reportError(
          new GraphQLError(`Directive "@${node.name.value}" takes one argument: if, a Boolean.`, {
            nodes: node,
          }),
        );
      }
    },
  };
}

function isCondition({ arguments: args = [] }: DirectiveNode): boolean {
  const [only] = args;
  if (args.length !== 1 || only?.name.value !== "if") return false;
  return only.value.kind === Kind.BOOLEAN || only.value.kind === Kind.VARIABLE;
}

/** Lists and objects in literals have the depth limit of a JSON body. */
function literalDepthRule(context: ValidationContext): ASTVisitor {
  let depth = 0;
  const nested = {
    enter(): void {
      if (++depth === textLimits.literalDepth + 1) {
        context.reportError(
          new GraphQLError(`A value is nested deeper than ${textLimits.literalDepth} levels.`),
        );
      }
    },
    leave(): void {
      depth--;
    },
  };
  return { ListValue: nested, ObjectValue: nested };
}

/** A text that passed all checks without models and operation name. */
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

/** Without positions, which would keep every token in memory. */
function parseDocument(text: string): DocumentNode {
  try {
    return parse(text, { noLocation: true });
  } catch (error) {
    throw error instanceof GraphQLError ? refuseText(error) : error;
  }
}
