import { EventEmitter } from "node:events";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { main } from "./cli/main.ts";

const [, , folder, n = "3"] = process.argv;
async function assay(args) {
  let stdout = "",
    stderr = "";
  const code = await main(args, {
    stdout: {
      write: (t) => {
        stdout += t;
      },
    },
    stderr: {
      write: (t) => {
        stderr += t;
      },
    },
    stdin: () => [],
    env: {},
    cwd: process.cwd(),
    signals: new EventEmitter(),
    launcher: process.cwd() + "/cli/assay.js",
  } as any);
  return { code, stdout, stderr };
}
console.log((await assay(["verify", folder])).stdout.split("\n")[0]);
for (const f of readdirSync(folder))
  for (let i = 0; i < +n; i++) {
    const copy = "/tmp/vfx/flip";
    rmSync(copy, { recursive: true, force: true });
    cpSync(folder, copy, { recursive: true });
    const b = readFileSync(`${copy}/${f}`);
    const at = i === 0 ? b.length - 1 : Math.floor(Math.random() * b.length);
    b[at] ^= 1;
    writeFileSync(`${copy}/${f}`, b);
    const { code, stdout, stderr } = await assay(["verify", copy]);
    const lines = stdout
      .split("\n")
      .filter(
        (l, k) =>
          k === 0 ||
          (l.startsWith("  ") && !l.startsWith("  that") && !l.startsWith("  whose") && !l.startsWith("  what")),
      );
    const ok = code === 1 && lines.some((l) => l.startsWith(`  ${f}:`));
    console.log(ok ? "ok " : "BAD", f, at, code, (lines.map((l) => l.trim()).join(" | ") + stderr).slice(0, 420));
  }
