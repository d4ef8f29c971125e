import type { AiRunDetails } from "../../../records/reads.ts";
import { element } from "../dom.ts";
import { countText, dollarText, durationText, nothing } from "../text/number-texts.ts";
import { zonedText } from "../text/time-texts.ts";
import { DataTable } from "../widgets/data-table.ts";
import { factsList, titled } from "../widgets/facts.ts";
import { outcomeTone } from "../widgets/tone.ts";

/** All that is known of one run of an agent. */
export function runDetails({ run, tool_calls: calls }: AiRunDetails): readonly HTMLElement[] {
  const tone = outcomeTone(run.status);
  const badge = element("span", { class: "badge", "data-tone": tone }, run.status.replace("_", " "));
  const facts = factsList([
    ["Run id", element("code", {}, run.run_id)],
    ["Time", zonedText(run.at, new Date())],
    ["Model", `${run.model} · ${run.provider}`],
    ["Error", run.error_code],
    ["Cost", dollarText(run.cost_usd)],
    ["Tokens", `${countText(run.input_tokens)} in, ${countText(run.output_tokens)} out`],
    ["Turns", countText(run.turns)],
    ["Conversation", run.conversation_id],
    ["User", run.user_id],
  ]);
  const what = element(
    "p",
    { class: "what" },
    badge,
    element("code", {}, run.agent),
    durationText(run.duration_ms),
  );
  return [element("div", { class: "head" }, what, facts), titled("Calls of tools", callsOf(calls))];
}

function callsOf(calls: AiRunDetails["tool_calls"]): HTMLElement {
  const host = element("div");
  const numbered = calls.map((call, index) => ({ ...call, index }));
  new DataTable<(typeof numbered)[number]>(host, {
    label: "Calls of tools",
    columns: [
      { title: "Tool", text: ({ tool }) => tool },
      {
        title: "Status",
        text: ({ status }) => status.replace("_", " "),
        tone: ({ status }) => outcomeTone(status),
      },
      { title: "Duration", text: ({ duration_ms }) => durationText(duration_ms), isFigure: true },
      { title: "Error", text: ({ error_message }) => error_message ?? nothing },
    ],
    keyOf: ({ index }) => String(index),
    empty: "None",
  }).show(numbered);
  return host;
}
