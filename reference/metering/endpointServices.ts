// What all endpoints share, and what outlives a request
import type { ProjectStore } from "../platform/project.ts";
import type { Rules } from "../platform/rules.ts";
import type { Meters } from "./meters.ts";

export interface EndpointServices {
  readonly rules: Rules;
  readonly store: ProjectStore;
  readonly meters: Meters;
  readonly now_ms: () => number;
}
