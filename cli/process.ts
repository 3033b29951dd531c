// The command line as a process: what the launcher starts, with the process's own streams, variables and signals.
import { setFlagsFromString } from "node:v8";
import { processSurroundings } from "./invocation.ts";
import { codeOf, ranToItsEnd } from "./main.ts";
import { noRoomIn } from "./writeText.ts";

/** What ends sooner is faster with the heap as it is. */
const short_ms = 5_000;
// V8 lets a heap grow to several times what is in use; a run stands beside others, for minutes, and mostly waits.
setTimeout(() => setFlagsFromString("--heap-growing-percent=15"), short_ms).unref();

const [, launcher = "", ...words] = process.argv;
const { stdout, stderr } = process;
const surroundings = processSurroundings(launcher);

for (const event of ["uncaughtException", "unhandledRejection"])
  process.removeAllListeners(event).on(event, (error: unknown) => process.exit(codeOf(error, surroundings)));
/** Nothing is left that could settle what is awaited: Node would end with a code of its own, and say nothing. */
process.on("beforeExit", () => process.exit(codeOf(new Error("it waits for what can't come any more"), surroundings)));
// Without a listener the signal kills; with one, the write that is too long fails.
process.on("SIGXFSZ", () => undefined);

let isOutputClosed = false;
for (const stream of [stdout, stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw noRoomIn(error, undefined, "The output") ?? error;
    if (isOutputClosed) return;
    // The reader, such as `head`, has read enough. A run ends with its reports, and isn't green.
    isOutputClosed = true;
    process.emit("SIGTERM");
  });

const { exitCode, isFound } = await ranToItsEnd(words, surroundings);
const { permission } = process as { readonly permission?: object };
if (permission && exitCode >= 2)
  stderr.write("Node's option --permission may be the reason. Leave it out, or let it allow what is denied.\n");
// The last output may still fail to be written.
stdout.write("", () =>
  setImmediate(() => {
    if (isOutputClosed && isFound)
      stderr.write("The output was closed before everything was printed; the run's folder has the rest.\n");
    // Stops whatever a signal has left running.
    stderr.write("", () => process.exit(isOutputClosed && exitCode !== 1 ? 3 : exitCode));
  }),
);
