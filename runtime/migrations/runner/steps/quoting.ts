export {
  placeOfTable,
  sqlBeside,
  sqlName,
  sqlTable,
  sqlText,
} from "../../../../vocabulary/migrations/check-sql.ts";

/** The statement that runs a PL/pgSQL block. The delimiter does not occur in the block. */
export function doBlock(block: string): string {
  let quote = "$do$";
  for (let number = 1; block.includes(quote); number++) quote = `$do${number}$`;
  return `do ${quote}\n${block}\n${quote}`;
}
