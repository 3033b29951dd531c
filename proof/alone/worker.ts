// A worker process that tries mutants on targets and deletes checks: takes tasks as messages and returns lines
import { deletionOf } from "./deletions.ts";
import { type Deleted, rowsKept, type Task } from "./matrix.ts";
import { type Row, tried } from "./tried.ts";

const rows = rowsKept();

process.on("message", (task) => {
  void linesOf(task as Task).then((lines) => process.send?.(lines));
});

const linesOf = async (task: Task): Promise<readonly (Row | Deleted)[]> =>
  "mutant" in task
    ? tried(task.mutant, task.on)
    : [{ deleted: task.deleted, deletion: await deletionOf(task.deleted, rows) }];
