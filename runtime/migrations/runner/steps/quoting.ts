export { sqlName, sqlText } from "../../../../vocabulary/migrations/check-sql.ts";

/** The statement that runs a block of PL/pgSQL, whatever names it holds. */
export function doBlock(block: string): string {
  let quote = "$do$";
  for (let number = 1; block.includes(quote); number++) quote = `$do${number}$`;
  return `do ${quote}\n${block}\n${quote}`;
}
