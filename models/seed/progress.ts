const width = 16;
const bar = 24;
const count = (n: number) => n.toLocaleString("en").padStart(9);

/** Shows how far one table is: a line that changes on a terminal, one line a table elsewhere. */
export function progress(out: NodeJS.WriteStream, table: string, total: number): (done: number) => void {
  return (done) => {
    const finished = done >= total;
    if (!out.isTTY) {
      if (finished) out.write(`${table.padEnd(width)} ${count(total)}\n`);
      return;
    }
    const filled = Math.round((done / total) * bar);
    out.write(
      `\r${table.padEnd(width)} ${"█".repeat(filled)}${"·".repeat(bar - filled)} ${count(done)}${finished ? "\n" : ""}`,
    );
  };
}
