// All shapes of load
import { nightly } from "./nightly.ts";
import type { Shape } from "./shape.ts";
import { smoke } from "./smoke.ts";
import { spike } from "./spike.ts";
import { stress } from "./stress.ts";

export const shapes: readonly Shape[] = [smoke, nightly, spike, stress];
