// The commands in the order of the help; each is loaded when it is called.
import type { Command } from "commander";
import { isTargetFile } from "./flags.ts";
import type { Invocation } from "./invocation.ts";

export interface CommandEntry {
  /** One line of the help, of 80 columns. */
  readonly summary: string;
  readonly load: () => Promise<(invocation: Invocation) => Command>;
  /**
   * Whether it judges by the checks of the project in whose folder it is called. What only reads what others left runs
   * none of the code there.
   */
  readonly judges?: (words: readonly string[], flags: { readonly [name: string]: unknown }) => boolean;
}

const always = (): boolean => true;

export const commands: { readonly [name: string]: CommandEntry } = {
  init: {
    summary: "Write a target file for a platform, after a first look at it",
    load: async () => (await import("./init.ts")).initCommand,
    judges: (_, { from }) => from === undefined,
  },
  doctor: {
    summary: "Show what a platform offers, and what a run would judge",
    load: async () => (await import("./doctor.ts")).doctorCommand,
    judges: always,
  },
  run: {
    summary: "Judge a platform, or the embedded reference platform",
    load: async () => (await import("./run.ts")).runCommand,
    judges: always,
  },
  judge: {
    summary: "Judge recorded exchanges; nothing is sent",
    load: async () => (await import("./judge.ts")).judgeCommand,
    judges: always,
  },
  proxy: {
    summary: "Forward a client's requests, and judge what passes",
    load: async () => (await import("./proxy.ts")).proxyCommand,
    judges: always,
  },
  load: {
    summary: "Judge answers while k6 sends requests at set rates",
    load: async () => (await import("./load.ts")).loadCommand,
    judges: always,
  },
  panel: {
    summary: "Ask several vendors the same: who differs, lags, or is faster",
    load: async () => (await import("./panel.ts")).panelCommand,
    judges: always,
  },
  compare: {
    summary: "Compare runs or panels with a baseline",
    load: async () => (await import("./compare.ts")).compareCommand,
    judges: (paths) => paths.some(isTargetFile),
  },
  history: {
    summary: "Show what changed over nights",
    load: async () => (await import("./history.ts")).historyCommand,
  },
  metrics: {
    summary: "Print the last nights of a history as OpenMetrics",
    load: async () => (await import("./metrics.ts")).metricsCommand,
  },
  accept: {
    summary: "Accept a run's broken requirements as known deviations",
    load: async () => (await import("./accept.ts")).acceptCommand,
  },
  replay: {
    summary: "Send again what showed a run's breaches: are they fixed?",
    load: async () => (await import("./replay.ts")).replayCommand,
    judges: always,
  },
  serve: {
    summary: "Run the reference platform on loopback for your client",
    load: async () => (await import("./serve.ts")).serveCommand,
  },
  mutants: {
    summary: "Prove by named defects of the reference that checks can fail",
    load: async () => (await import("./mutants.ts")).mutantsCommand,
    judges: always,
  },
  generate: {
    summary: "Write TypeScript types for custom checks",
    load: async () => (await import("./generate.ts")).generateCommand,
    judges: always,
  },
  report: {
    summary: "Write a run's reports again from its journal",
    load: async () => (await import("./report.ts")).reportCommand,
  },
  verify: {
    summary: "Say whether a run's files follow from its journal, unchanged",
    load: async () => (await import("./verify.ts")).verifyCommand,
  },
  spec: {
    summary: "Print the interface, or compare a vendor's documents with it",
    load: async () => (await import("./spec.ts")).specCommand,
  },
  explain: {
    summary: "Explain a requirement, an observation or an exit code",
    load: async () => (await import("./explain.ts")).explainCommand,
    judges: ([, run]) => run === undefined,
  },
  requirements: {
    summary: "List all requirements, with their verdicts in a run",
    load: async () => (await import("./requirements.ts")).requirementsCommand,
    judges: ([run]) => run === undefined,
  },
};
