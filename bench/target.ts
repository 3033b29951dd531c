// The target of benchmarks: the reference's file with the bases and keys of this run
import { fileURLToPath } from "node:url";
import { targetForm } from "../contracts/targets.ts";
import type { Target } from "../harness/target/target.ts";
import { readTarget } from "../harness/target/targetFile.ts";
import { type Demo, type DemoRole, demoRoles } from "../reference/demo.ts";

const referenceFile = fileURLToPath(new URL("../targets/reference.yaml", import.meta.url));

export function targetAt(base: string, keys: Demo["keys"]): Target {
  const environment = Object.fromEntries(
    (Object.entries(demoRoles) as [DemoRole, string][]).map(([role, name]) => [name, keys[role]]),
  );
  return readTarget(targetForm, referenceFile, environment, { admin: base, api: base, rpc: base });
}
