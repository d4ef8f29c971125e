import { byId, place } from "../dom.ts";
import { mcpCallsTable } from "../panels/mcp-calls-table.ts";
import { mcpToolsTable } from "../panels/mcp-tools-table.ts";
import { offer } from "../widgets/choice.ts";
import { type Reading, type View, type ViewTools, windowOf } from "./view.ts";

/** Calls of tools over MCP. */
export class McpView implements View {
  readonly #tools = mcpToolsTable(place("mcp-tools"));
  readonly #calls = mcpCallsTable(place("mcp-calls"));
  readonly #server = byId("mcp-server", HTMLSelectElement);
  readonly #status = byId("mcp-status", HTMLSelectElement);

  constructor({ refresh }: ViewTools) {
    for (const list of [this.#server, this.#status]) list.addEventListener("change", refresh);
  }

  async refresh(reading: Reading): Promise<void> {
    const { client, signal } = reading;
    const asked = windowOf(reading);
    const chosen = { server: this.#server.value, status: this.#status.value };
    const [{ tools }, { calls }] = await Promise.all([
      client.get("mcp/summary", asked, signal),
      client.get("mcp/calls", { ...asked, ...chosen }, signal),
    ]);
    offer(
      this.#server,
      tools.map(({ server }) => server),
    );
    this.#tools.show(tools);
    this.#calls.show(calls);
  }
}
