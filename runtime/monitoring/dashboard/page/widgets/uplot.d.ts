import uPlot from "uplot";

/** The package's module, which is served under this name. */
export default uPlot;
