import type { Dice } from "./dice.ts";
import { values } from "./rows.ts";
import type { Comparing, FieldTerm, Rule, SubjectTerm, UserTerm, ValueTerm } from "./rule.ts";
import {
  areAlike,
  columnsOf,
  elementOf,
  familyOf,
  isList,
  type Kind,
  linkOf,
  type Shape,
  type Shapes,
  shapeOf,
} from "./shapes.ts";

/** As many as the language allows. */
const limits = { path: 6, depth: 3, relations: 16 } as const;

const equality = ["=", "!="] as const;
const ordered = [...equality, "<", "<=", ">", ">="] as const;
const patterns = ["%", "a%", "%b", "_", "a_", "%\\%", "\\%", "A%", "%c%", "a"];
/** Columns of `users` that no caller can set for himself. */
// biome-ignore format: one case a line
const callersColumns = [
  "role", "is_active", "is_verified", "team", "level", "credit", "skills", "up_id", "left_id", "created_at",
];
const offsets = [
  { amount: 0, unit: "day" },
  { amount: -15, unit: "minute" },
  { amount: 3, unit: "hour" },
  { amount: -30, unit: "second" },
  { amount: -10, unit: "day" },
  { amount: 36_500, unit: "day" },
] as const;

/** A random condition on the rows of a model, of the whole grammar. */
export function randomRule(dice: Dice, shapes: Shapes, shape: Shape): Rule {
  return new Maker(dice, shapes, shape).rule(shape, 0, dice.pick([0, 1, 2, 3]));
}

/** Where a path ends. */
interface Way {
  readonly itself: boolean;
  readonly over: readonly string[];
  readonly end: Shape;
}

class Maker {
  readonly #dice: Dice;
  readonly #shapes: Shapes;
  readonly #itself: Shape;
  #relations: number = limits.relations;

  constructor(dice: Dice, shapes: Shapes, itself: Shape) {
    this.#dice = dice;
    this.#shapes = shapes;
    this.#itself = itself;
  }

  /** A condition on a row that is so many levels of EXISTS deep, and itself has at most so many levels. */
  rule(at: Shape, depth: number, levels: number): Rule {
    const part = () => this.rule(at, depth, levels - 1);
    const parts = () => Array.from({ length: this.#dice.between(2, 3) }, part);
    const deeper = levels > 0 ? 1 : 0;
    return this.#dice.weighted<Rule>([
      [5, () => this.#leaf(at, depth)],
      [2 * deeper, () => ({ is: "and", parts: parts() })],
      [2 * deeper, () => ({ is: "or", parts: parts() })],
      [deeper, () => ({ is: "not", part: part() })],
      [depth < limits.depth && this.#relations > 0 ? 3 : 0, () => this.#exists(at, depth, levels)],
    ]);
  }

  #exists(at: Shape, depth: number, levels: number): Rule {
    const length = this.#dice.pick([1, 1, 1, 2, 2, 3, 4]);
    const siblings = this.#dice.chance(30) ? this.#siblings(at) : null;
    const way = siblings ?? this.#way(at, depth, length, ["belongs_to", "has_one", "has_many"]);
    if (way.over.length === 0) return this.#leaf(at, depth);
    const { itself, over, end } = way;
    if (this.#dice.chance(15)) return { is: "exists", itself, over, where: null };
    return { is: "exists", itself, over, where: this.rule(end, depth + 1, Math.max(levels - 1, 0)) };
  }

  /** The rows with the parent of the row at hand, and itself: a write can change them under its own rule. */
  #siblings(at: Shape): Way | null {
    const ways = Object.entries(at.links).flatMap(([name, link]) => {
      const back = Object.entries(shapeOf(this.#shapes, link.model).links).filter(
        ([, { kind, model }]) => kind === "has_many" && model === at.key,
      );
      return link.kind === "belongs_to" && name !== "this" ? back.map(([other]) => [name, other]) : [];
    });
    if (ways.length === 0 || this.#relations < 2) return null;
    this.#relations -= 2;
    return { itself: false, over: this.#dice.pick(ways), end: at };
  }

  #leaf(at: Shape, depth: number): Rule {
    const left = this.#dice.chance(10) ? this.#callersColumn() : this.#field(at, depth);
    const isRange = familyOf(left.kind) !== "boolean" && familyOf(left.kind) !== "uuid";
    const isText = familyOf(left.kind) === "text";
    if (isList(left.kind)) return this.#ofList(left, elementOf(left.kind));
    return this.#dice.weighted<Rule>([
      [6, () => this.#comparison(left)],
      [5, () => this.#twoFields(left, at, depth)],
      [2, () => ({ is: "in", not: this.#dice.chance(50), left, list: this.#list(left) })],
      [isRange ? 1 : 0, () => ({ is: "between", left, from: this.#value(left), to: this.#value(left) })],
      [isText ? 2 : 0, () => this.#like(left)],
      [2, () => ({ is: "null", not: this.#dice.chance(50), left })],
    ]);
  }

  #ofList(left: SubjectTerm, element: Kind): Rule {
    if (this.#dice.chance(15)) return { is: "null", not: this.#dice.chance(50), left };
    const one = this.#dice.chance(50);
    const list = Array.from({ length: one ? 1 : this.#dice.between(1, 3) }, () => this.#anyValue(element));
    return { is: "has", left, list, one };
  }

  /** Times that a write sets are never compared with this very moment, from which the clock moves on. */
  #value(left: SubjectTerm): ValueTerm {
    const value = this.#anyValue(left.kind);
    return isStamp(left) && value.is === "now" && value.amount === 0 ? { ...value, amount: 1 } : value;
  }

  #comparison(left: SubjectTerm): Rule {
    const right = this.#value(left);
    return {
      is: "compare",
      sign: this.#sign(left.kind),
      left,
      right,
      swapped: right.is !== "literal" && this.#dice.chance(30),
    };
  }

  #twoFields(left: SubjectTerm, at: Shape, depth: number): Rule {
    for (let tries = 0; tries < 8; tries++) {
      const relations = this.#relations;
      const right = this.#field(at, depth);
      const alike = areAlike(right.kind, left.kind) && !areBothNow(left, right);
      if (alike) return { is: "compare", sign: this.#sign(left.kind), left, right, swapped: false };
      this.#relations = relations;
    }
    return this.#comparison(left);
  }

  #like(left: SubjectTerm): Rule {
    const right = this.#dice.chance(60) ? literal(this.#dice.pick(patterns)) : this.#value(left);
    return {
      is: "compare",
      sign: this.#dice.pick<Comparing>(["LIKE", "ILIKE"]),
      left,
      right,
      swapped: false,
    };
  }

  #sign(kind: Kind): Comparing {
    const family = familyOf(kind);
    return this.#dice.pick<Comparing>(family === "boolean" || family === "uuid" ? equality : ordered);
  }

  #list(left: SubjectTerm): ValueTerm[] {
    return Array.from({ length: this.#dice.between(1, 3) }, () => this.#value(left));
  }

  /** A literal, a claim, a time or a column of the caller that fits. */
  #anyValue(kind: Kind): ValueTerm {
    return this.#dice.weighted<ValueTerm>([
      [6, () => this.#literal(kind)],
      [3, () => this.#claim(kind)],
      [3, () => this.#callersColumnOf(kind)],
    ]);
  }

  #literal(kind: Kind): ValueTerm {
    return literal(this.#dice.pick(values[isList(kind) ? elementOf(kind) : kind]));
  }

  #claim(kind: Kind): ValueTerm {
    switch (familyOf(kind)) {
      case "text":
        return {
          is: "claim",
          claim: this.#dice.pick(kind === "email" ? ["role", "email"] : ["user_id", "role", "email"]),
        };
      case "number":
      case "uuid":
        return kind === "float" || kind === "decimal"
          ? this.#literal(kind)
          : { is: "claim", claim: "user_id" };
      case "boolean":
        return literal(this.#dice.chance(50));
      case "time":
        return this.#literal(kind);
      default:
        return { is: "now", ...this.#dice.pick(offsets) };
    }
  }

  #callersColumn(): UserTerm {
    const users = columnsOf(shapeOf(this.#shapes, "users"));
    const column = this.#dice.pick(callersColumns.filter((name) => name in users));
    return { is: "user", column, kind: users[column] ?? "string" };
  }

  #callersColumnOf(kind: Kind): ValueTerm {
    const users = columnsOf(shapeOf(this.#shapes, "users"));
    const fit = callersColumns.filter((name) => {
      const own = users[name];
      return own !== undefined && areAlike(own, kind);
    });
    if (fit.length === 0) return this.#literal(kind);
    const column = this.#dice.pick(fit);
    return { is: "user", column, kind: users[column] ?? kind };
  }

  #field(at: Shape, depth: number): FieldTerm {
    const { itself, over, end } = this.#way(
      at,
      depth,
      this.#dice.pick([0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 6]),
      ["belongs_to", "has_one"],
    );
    const columns = columnsOf(end);
    const own = Object.keys(columns).filter((name) => !name.endsWith("ed_at"));
    const field = this.#dice.chance(8) ? this.#dice.pick(Object.keys(columns)) : this.#dice.pick(own);
    return { is: "field", itself, over, field, kind: columns[field] ?? "string" };
  }

  /** A path of so many relations of some kinds, or of fewer if no more exist. */
  #way(at: Shape, depth: number, length: number, kinds: readonly string[]): Way {
    const itself = depth > 0 ? this.#dice.chance(25) : this.#dice.chance(10) && !("this" in at.links);
    const start = itself ? this.#itself : at;
    const over: string[] = [];
    let end = start;
    const most = Math.min(length, limits.path, this.#relations);
    while (over.length < most) {
      const links = Object.entries(end.links).filter(
        ([name, { kind }]) =>
          kinds.includes(kind) && !(over.length === 0 && depth > 0 && !itself && name === "this"),
      );
      if (links.length === 0) break;
      const [name, link] = this.#dice.pick(links);
      const byField = link.kind === "belongs_to" && this.#dice.chance(20) && !isJoin(end, link.field);
      over.push(byField ? link.field : name);
      end = shapeOf(this.#shapes, linkOf(end, name).model);
    }
    this.#relations -= over.length;
    return { itself, over, end };
  }
}

const literal = (value: string | number | boolean): ValueTerm => ({ is: "literal", value });

const isJoin = (shape: Shape, name: string): boolean => name in shape.links;

/** Two times that a write sets to the same moment can differ, because the clock moves. */
const areBothNow = (left: SubjectTerm, right: SubjectTerm): boolean => isStamp(left) && isStamp(right);

const isStamp = (term: SubjectTerm): boolean =>
  term.is === "field" && /^(created|updated|deleted)_at$/.test(term.field);
