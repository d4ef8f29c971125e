import { clientNames } from "../../../../vocabulary/openapi/client-names.ts";
import type { OpenApiDocument } from "../../../../vocabulary/openapi/document.ts";
import { propertyName } from "../../literal.ts";
import { type ClientGroup, hasSessions, memberOf } from "../client-members.ts";
import {
  type ClientModel,
  modelsOf,
  type PlacedOperation,
  placedOperations,
} from "../document-operations.ts";
import { descriptionOf } from "../json-parts.ts";
import { commented, interfaceText } from "./declarations.ts";
import { ErrorCodes } from "./error-types.ts";
import {
  answerType,
  bodyMethod,
  inputArgument,
  type MethodPrinter,
  methodSignature,
  methodText,
  routeMethod,
} from "./method-types.ts";
import { modelTypeNames, modelTypes } from "./model-types.ts";
import { socialTokenMethod, socialUnlinkMethod, socialUrlMethod } from "./social-types.ts";
import { storageMethod } from "./storage-types.ts";
import { TypeNames } from "./type-names.ts";

/** Prints the types of the app's part of a client: rows, bodies, filters, methods and errors. */
export function clientTypes(document: OpenApiDocument): string {
  const models = modelsOf(document);
  const names = new TypeNames(document, modelTypeNames(models));
  const codes = new ErrorCodes(document, names);
  const ofModels = models.flatMap((model) => modelTypes(document, model, names, codes));
  const groups = groupInterfaces({ document, names, codes });
  const texts = [
    ...ofModels,
    ...modelsTexts(document, models),
    ...groups.map(({ text }) => text),
    clientInterface(models, groups),
    // After all operations, whose codes it has.
    codes.table(),
  ];
  return `${[...texts, ...names.declarations].join("\n\n")}\n`;
}

/** The interface of an object of the client. */
interface GroupInterface {
  /** The object that has it: the client itself, or another object. */
  readonly within: "client" | "auth";
  /** Its name there. */
  readonly member: ClientGroup;
  readonly name: string;
  readonly text: string;
}

type MethodText = (printer: MethodPrinter, placed: PlacedOperation, name: string) => string;

const socialMethods: Readonly<Record<string, MethodText>> = {
  url: socialUrlMethod,
  mobile: socialTokenMethod,
  link: socialTokenMethod,
  linked: bodyMethod,
  unlink: socialUnlinkMethod,
};

/** A method of `auth`. Next to `login` is the one that signs in again, if the document has the operations that it uses. */
function authMethod(printer: MethodPrinter, placed: PlacedOperation, name: string): string {
  if (name !== "login" || !hasSessions(printer.document)) return bodyMethod(printer, placed, name);
  const given = inputArgument(printer, placed);
  const answer = answerType(printer, placed);
  const again = "Sign in again. The new session replaces the one before, and ends it.";
  return [
    methodText(printer, placed, name, given, answer),
    commented(again, methodSignature("reauthenticate", given, answer)),
  ].join("\n");
}

/** The objects of a client. Those of `auth` come before it. */
const groupTable: readonly (Omit<GroupInterface, "text"> & { readonly method: MethodText })[] = [
  { within: "auth", member: "account", name: "OwnAccount", method: bodyMethod },
  { within: "auth", member: "apiKeys", name: "ApiKeys", method: bodyMethod },
  { within: "auth", member: "sessions", name: "OwnSessions", method: bodyMethod },
  { within: "auth", member: "passkeys", name: "Passkeys", method: bodyMethod },
  {
    within: "auth",
    member: "social",
    name: "Social",
    method: (printer, placed, name) => socialMethods[name]?.(printer, placed, name) ?? "",
  },
  { within: "client", member: "auth", name: "Auth", method: authMethod },
  { within: "client", member: "storage", name: "Storage", method: storageMethod },
  { within: "client", member: "users", name: "Users", method: bodyMethod },
  { within: "client", member: "rateLimits", name: "RateLimits", method: bodyMethod },
  { within: "client", member: "routes", name: "Routes", method: routeMethod },
];

/** The interfaces of objects that have a method, in this document. */
function groupInterfaces(printer: MethodPrinter): GroupInterface[] {
  const placed = placedOperations(printer.document).flatMap((one) => {
    const member = memberOf(one.operation);
    return member === null ? [] : [{ one, member }];
  });
  const found: GroupInterface[] = [];
  for (const { method, ...group } of groupTable) {
    const methods = placed
      .filter(({ member }) => member.group === group.member)
      .map(({ one, member }) => method(printer, one, member.name));
    const nested = found.filter(({ within }) => within === group.member).map(propertyOf);
    if (methods.length + nested.length > 0)
      found.push({ ...group, text: interfaceText({ name: group.name }, [...methods, ...nested]) });
  }
  const graphql = placed.find(({ member }) => member.group === "graphql");
  if (graphql !== undefined) found.push(graphqlInterface(printer, graphql.one));
  return found;
}

function graphqlInterface({ codes }: MethodPrinter, { operation }: PlacedOperation): GroupInterface {
  const parents = [`SendsGraphql<${codes.of(operation, "graphql")}>`];
  const name = "Graphql";
  return { within: "client", member: "graphql", name, text: interfaceText({ name, parents }, []) };
}

function propertyOf({ member, name }: GroupInterface): string {
  return `readonly ${member}: ${name};`;
}

/** `Models`. Those of which a client needs the name are only there, so that the others have an interface of their own. */
function modelsTexts({ tags }: OpenApiDocument, models: readonly ClientModel[]): string[] {
  const members = (some: readonly ClientModel[]) =>
    some.map(({ key, name }) =>
      commented(
        descriptionOf(tags.find((tag) => tag.name === key)),
        `readonly ${propertyName(key)}: ${name}Api;`,
      ),
    );
  const [visible, hidden] = [models.filter(isVisible), models.filter((model) => !isVisible(model))];
  if (hidden.length === 0) return [interfaceText({ name: "Models" }, members(models))];
  return [
    interfaceText({ name: visibleModels }, members(visible)),
    interfaceText({ name: "Models", parents: [visibleModels] }, members(hidden)),
  ];
}

/** The models that are properties of the client itself. */
const visibleModels = "ClientModels";

function isVisible({ key }: ClientModel): boolean {
  return !clientNames.includes(key);
}

function clientInterface(models: readonly ClientModel[], groups: readonly GroupInterface[]): string {
  const parents = [models.every(isVisible) ? "Models" : visibleModels];
  return interfaceText({ name: "Client", parents }, [
    "readonly models: Models;",
    ...groups.filter(({ within }) => within === "client").map(propertyOf),
    "readonly session: Sessions;",
  ]);
}
