import {
  type ConditionExpression,
  type ConditionNames,
  type Disjunct,
  disjunctsOf,
  fieldNamesOf,
  isCovered,
  parsePrintedCondition,
  unprovenOf,
} from "../../conditions/index.ts";
import { type Access, type MatrixModel, withoutAccess } from "./access-matrix.ts";
import { conditionNames, type NamedTables } from "./condition-naming.ts";
import { rowsInWords } from "./condition-words.ts";
import type { NameChanges } from "./model-pairs.ts";
import { changedPaths, withoutDefinitions, withSamePaths } from "./opened-causes.ts";
import type { OpenedRows } from "./widened-access.ts";

/** A named condition with another definition, which opens other rows in the rules that use it. */
export interface OpenedCondition extends Pick<OpenedRows, "words" | "unproven"> {
  readonly name: string;
  /** The model that it is about. */
  readonly on: string;
  /** The definition, as written. */
  readonly text: string;
  readonly before: string;
  /** Whether it holds for other rows than before. If not, rules that negate it open other rows. */
  readonly wider: boolean;
  /** The operations that open other rows: `tasks.fetch`. */
  readonly usedBy: readonly string[];
}

/** A named condition of one side, with the names in its definition. */
interface Definition {
  readonly on: string;
  readonly text: string;
  readonly access: MatrixModel;
  readonly naming: ConditionNames;
  readonly expression: ConditionExpression | null;
}

/** The named conditions of one side. */
export type NamedDefinitions = ReadonlyMap<string, Definition>;

/** Reads the definitions of one side. */
export function definitionsOf({ models, conditions }: Access, tables: NamedTables): NamedDefinitions {
  const definitions = new Map<string, Definition>();
  const definitionOf = (name: string) => definitions.get(name)?.expression ?? null;
  for (const [name, { on, text }] of conditions) {
    const table = tables.get(on);
    const fields = new Set(table?.table.columns.map((column) => column.name));
    const side = { key: on, fields, nameOf: (field: string) => table?.columnOf(field) ?? field };
    const access = models.get(on) ?? withoutAccess;
    const naming = { ...conditionNames(access, side, tables), definitionOf };
    const parsed = parsePrintedCondition(text, fieldNamesOf(naming));
    const expression = "problem" in parsed ? null : parsed.expression;
    definitions.set(name, { on, text, access, naming, expression });
  }
  return definitions;
}

/** The changes of named conditions. */
export interface DefinitionChanges extends NameChanges {
  /** The names of both sides that mean something else now, apart from conditions that they call and relations that lead elsewhere. */
  readonly changed: ReadonlySet<string>;
}

/** Compares the named conditions of both sides. `nameOf` gives a former model its new key. */
export function definitionChanges(
  before: NamedDefinitions,
  after: NamedDefinitions,
  nameOf: (model: string) => string,
): DefinitionChanges {
  const isOn = (was: Definition, is: Definition) => nameOf(was.on) === is.on;
  const both = new Set(
    [...before].flatMap(([name, was]) => {
      const is = after.get(name);
      return is !== undefined && isOn(was, is) ? [name] : [];
    }),
  );
  const isSame = (was: Definition, is: Definition) => {
    if (!isOn(was, is)) return false;
    const paths = changedPaths(was.naming, is);
    const [one, other] = [was, is].map(({ text, naming }) =>
      disjunctsOf(text, withoutDefinitions(withSamePaths(naming, paths), both)),
    );
    const covers = (parts = one, known = other) =>
      parts?.every((part) => isCovered(part, known ?? [])) === true;
    return covers(one, other) && covers(other, one);
  };
  const lost = [...before].filter(([name]) => !both.has(name));
  const gained = [...after].filter(([name]) => !both.has(name));
  const renames = gained.flatMap(([name, is]) => {
    const former = lost.filter(([, was]) => isSame(was, is));
    const [only] = former;
    const others = gained.filter(([, other]) => only !== undefined && isSame(only[1], other));
    return only !== undefined && former.length + others.length === 2 ? [[only[0], name] as const] : [];
  });
  const renamed = new Set(renames.flat());
  const changed = [...both].filter((name) => {
    const [was, is] = [before.get(name), after.get(name)];
    return was !== undefined && is !== undefined && !isSame(was, is);
  });
  return {
    added: gained.map(([name]) => name).filter((name) => !renamed.has(name)),
    removed: lost.map(([name]) => name).filter((name) => !renamed.has(name)),
    renamed: renames.map((names) => names.join(" → ")),
    changed: new Set(changed),
  };
}

/** The changed definitions that open other rows, once for all rules that use them. */
export function openedConditions(
  before: NamedDefinitions,
  after: NamedDefinitions,
  rows: readonly OpenedRows[],
): OpenedCondition[] {
  return [...after].flatMap(([name, is]) => {
    const was = before.get(name);
    const opened = rows.filter(({ by }) => by?.includes(name));
    if (was === undefined || opened.length === 0) return [];
    const known = disjunctsOf(was.text, was.naming);
    const open = disjunctsOf(is.text, is.naming).filter((part) => !isCovered(part, known));
    const usedBy = opened.flatMap(({ operation, along }) => {
      const model = operation.slice(0, operation.indexOf("."));
      return [operation, ...along.map((other) => `${model}.${other}`)];
    });
    const entry = { name, on: is.on, text: is.text, before: was.text, wider: open.length > 0 };
    return [{ ...entry, usedBy: [...new Set(usedBy)], ...explained(open) }];

    /** Explains conditions over relations, which are hard to read. */
    function explained(parts: readonly Disjunct[]): Pick<OpenedCondition, "words" | "unproven"> {
      if (![...parts, ...known].some(({ paths }) => paths.size > 0)) return {};
      const [now, instead] = [is, was].map((each) => each && rowsInWords(each.text, each.naming));
      const unproven = [...new Set(parts.flatMap((part) => unprovenOf(part, known)))];
      return { words: { rows: now ?? "", instead: instead ?? null }, unproven };
    }
  });
}
