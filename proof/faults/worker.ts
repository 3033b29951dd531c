// A worker process that tries odd answers: takes runs as messages and returns what they broke
import { type OddRun, oddRun } from "./oddAnswers.ts";

process.on("message", (run) => {
  void oddRun(run as OddRun).then((findings) => process.send?.(findings));
});
