import { jsonText } from "../../../vocabulary/json.ts";
import { compileAsWritten, isSchema } from "../../models/validation/index.ts";
import { cutOf } from "./answer-cut.ts";

/** The JSON text of what a handler gave back, cut to what a schema names. Throws where that is none, or not what the schema asks for. */
export type AnswerWriter = (value: unknown) => string;

/** The writer for a schema. Throws where the schema is none. Nothing that is given back is null. */
export function answerWriter(schema: object | boolean): AnswerWriter {
  if (!isSchema(schema)) throw new Error("a schema is an object");
  const { problems } = compileAsWritten(schema);
  const cut = cutOf(schema);
  return (value) => {
    const answer = cut(value ?? null);
    const [problem] = problems(answer);
    if (problem !== undefined) throw new Error(`${problem.field} ${problem.message}`.trim());
    return jsonText(answer);
  };
}
