import type { HookMonitoring, MonitoringForHooks } from "./monitoring-context.ts";

/** Monitoring in the hooks of a service whose module is off: code that records runs and calls works with it and without. */
export const noMonitoring: MonitoringForHooks = () => off;

const off: HookMonitoring = { aiRun() {}, mcpCall() {} };
