// Everything that is looked at and never judged.
import type { Probe } from "../../harness/probe.ts";
import { probes as auth } from "./auth.ts";
import { probes as credits } from "./credits.ts";
import { probes as cycles } from "./cycles.ts";
import { probes as errors } from "./errors.ts";
import { probes as http } from "./http.ts";
import { probes as prec } from "./prec.ts";
import { probes as usage } from "./usage.ts";
import { probes as versions } from "./versions.ts";

export const probes: readonly Probe[] = [...http, ...auth, ...prec, ...usage, ...cycles, ...credits, ...errors, ...versions];
