import {
  type ASTVisitor,
  type DirectiveNode,
  type DocumentNode,
  ExecutableDefinitionsRule,
  GraphQLError,
  GraphQLIncludeDirective,
  GraphQLSchema,
  GraphQLSkipDirective,
  Kind,
  KnownDirectivesRule,
  KnownFragmentNamesRule,
  LoneAnonymousOperationRule,
  NoFragmentCyclesRule,
  NoUndefinedVariablesRule,
  NoUnusedFragmentsRule,
  NoUnusedVariablesRule,
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
import { refuseText } from "./document-problem.ts";
import { textLimits } from "./text-limits.ts";

/** No types: what the models say is checked by the planner, for the caller's role. */
const schema = new GraphQLSchema({
  assumeValid: true,
  directives: [GraphQLSkipDirective, GraphQLIncludeDirective],
});

/**
 * The rules of graphql-js that need no types. The messages of all of them name only what was sent; of the others,
 * `KnownArgumentNamesOnDirectivesRule` suggests names, so the arguments of directives have a rule of our own.
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

/** Checks a document as far as no model is needed. Errors: 400 `VALIDATION_ERROR`, for the first mistake. */
export function checkRules(document: DocumentNode): void {
  const [first] = validate(schema, document, rules, { maxErrors: 1 });
  if (first !== undefined) throw refuseText(first);
}

/** `@skip` and `@include` take `if` alone, a Boolean or a variable. */
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

/** Lists and objects in literals go no deeper than a JSON body may. */
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
