// Limiters that the verdicts must call right or wrong, and two that they can't distinguish
import {
  type Arrival,
  bucket,
  fixed,
  fixedFromFirst,
  type Make,
  slidingLog,
  weighted,
} from "../../load/rateLimits/limiterModels.ts";
import { blocking, none, per, queueing } from "./limiters.ts";

export interface Row {
  readonly title: string;
  readonly make: Make;
  /** `undetectable`: wrong in a way that no experiment shows. */
  readonly is: "right" | "wrong" | "undetectable";
}

const ofProject = ({ project }: Arrival): number => project;
const perProject = (make: Make): Make => per(ofProject, make);
const right = (title: string, make: Make): Row => ({ title, make: perProject(make), is: "right" });
const wrong = (title: string, make: Make): Row => ({ title, make: perProject(make), is: "wrong" });

const minute_ms = 60_000;

export const rows: readonly Row[] = [
  right("5, windows at set times", fixed(5)),
  right("5, windows from the first request", fixedFromFirst(5)),
  right("5, sliding log", slidingLog(5)),
  right("5, sliding log that counts what it refuses", slidingLog(5, { countsRefused: true })),
  right("5, two weighted windows", weighted(5)),
  right("bucket of 5, 5 per second", bucket(5, 5)),
  right("5, blocks for one window once exceeded", blocking(5)),
  wrong("4, windows at set times", fixed(4)),
  wrong("4, sliding log", slidingLog(4)),
  wrong("6, windows at set times", fixed(6)),
  wrong("6, sliding log", slidingLog(6)),
  wrong("6, sliding log that counts what it refuses", slidingLog(6, { countsRefused: true })),
  wrong("6, two weighted windows", weighted(6)),
  wrong("6, blocks for one window once exceeded", blocking(6)),
  wrong("10, sliding log", slidingLog(10)),
  wrong("no limit", none),
  wrong("bucket of 1, 5 per second", bucket(1, 5)),
  wrong("bucket of 10, 5 per second", bucket(10, 5)),
  wrong("burst of 5, 2 per second", bucket(5, 2)),
  wrong("5 in two seconds", slidingLog(5, { length_ms: 2_000 })),
  wrong("100 a minute besides", bothMade(slidingLog(5), fixed(100, minute_ms))),
  wrong("never serves again once exceeded", blocking(5, Number.POSITIVE_INFINITY)),
  wrong("queues instead of refusing", queueing(5)),
  { title: "5 for each key", make: per(({ key, project }) => key + 100 * project, slidingLog(5)), is: "wrong" },
  {
    title: "5 for each connection",
    make: per(({ connection, project }) => connection + 100 * project, slidingLog(5)),
    is: "wrong",
  },
  { title: "5 for all projects", make: slidingLog(5), is: "wrong" },
  { title: "burst of 5, 4 per second", make: perProject(bucket(5, 4)), is: "undetectable" },
  {
    title: "10 in two seconds at set times, 5 at once",
    make: perProject(bothMade(fixed(10, 2_000), slidingLog(5, { length_ms: 300 }))),
    is: "undetectable",
  },
];

/** Both must serve; the second isn't asked where the first refuses. */
export function bothMade(first: Make, second: Make): Make {
  return (phase_ms) => {
    const one = first(phase_ms);
    const other = second(phase_ms);
    return (arrival) => (one(arrival) === null ? null : other(arrival));
  };
}
