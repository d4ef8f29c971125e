import { runIntrospect } from "./introspect/run-introspect.ts";

process.exitCode = await runIntrospect(process.argv.slice(2), process.cwd(), {
  say: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
});
