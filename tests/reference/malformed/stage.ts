// A platform that gets malformed requests, in this process and over sockets, and all of it that they could change.
import { connect } from "node:net";
import { demo } from "../../../reference/demo.ts";
import { listen } from "../../../reference/http.ts";
import { createPlatform } from "../../../reference/platform.ts";
import { health } from "./call.ts";
import { good } from "./control.ts";
import type { Requested, Row } from "./rows.ts";

interface Answer {
  /** `closed` for a connection that was closed without an answer. */
  readonly status: string;
  /** Without its parameters. */
  readonly type: string;
  /** Parsed where it is JSON. */
  readonly body: unknown;
}
const answered = (status: number | string, contentType: string, text: string): Answer => {
  const [type = ""] = contentType.split(";");
  return { status: `${status}`, type, body: type === "application/json" && text !== "" ? JSON.parse(text) : text };
};

/** Valid calls are charged, which would hide whether refused ones are. */
const unmetered = { id: "unmetered", rules: { metering: { rpc: "not metered" } } } as const;
const token = "the token of control";

/** A platform on a port, on a clock so fast that no limiter refuses. */
export async function stage() {
  const { world, keys, ids } = demo();
  const clock = { now_ms: Date.now() };
  const now_ms = (): number => (clock.now_ms += 1_000);
  const platform = createPlatform({ world, now_ms, variant: unmetered, controlToken: token });
  const { port, close } = await listen(platform, 0);
  const names: { [name: string]: string } = { token, paidKey: keys.paid, id: ids.other, key: keys.other };
  names["KEY"] = keys.other.toUpperCase();
  const filled = (text: string): string =>
    text.replace(/\{(id|key|KEY|token|watched|paidKey)\}/g, (_, name: string) => names[name] ?? "");
  const request = async ({ target, verb, headers, body }: Requested): Promise<Answer> => {
    const response = await platform.fetch(
      new Request(`http://127.0.0.1${filled(target)}`, {
        method: verb,
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value)])),
        ...(body.length > 0 ? { body } : {}),
      }),
    );
    return answered(response.status, response.headers.get("content-type") ?? "", await response.text());
  };
  const post = (target: string, body: string, headers = {}): Promise<Answer> =>
    request({ target, verb: "POST", headers, body });
  const command = async (sent: object): Promise<{ readonly project?: string }> => {
    const body = filled(JSON.stringify(sent));
    const answer = await post("/control", body, { "x-assay-control": token });
    if (answer.status !== "200") throw new Error(`${answer.status}: ${body}`);
    return answer.body as { readonly project?: string };
  };
  const { project = "" } = await command({ ...good[0], keys: [{ value: crypto.randomUUID() }] });
  names["watched"] = project;
  await command({ do: "consume", project, product: "das", credits: "12.345", times: 7 });
  const usageOf = (role: "paid" | "other" | "free"): Promise<Answer> => {
    const target = `/v0/admin/projects/${ids[role]}/usage?api-key=${keys[role]}`;
    return request({ target, verb: "GET", headers: {}, body: "" });
  };
  return {
    clock,
    command,
    close,
    request,
    post,
    send: ({ sent }: Row): Promise<Answer> =>
      typeof sent === "string"
        ? overSocket(port, Buffer.from(measured(filled(sent))))
        : Buffer.isBuffer(sent)
          ? overSocket(port, Buffer.from(filled(sent.toString("latin1")), "latin1"))
          : request(sent),
    /** All that bad requests could change. */
    state: async () => ({
      health: await post("/?api-key={paidKey}", health),
      usage: await Promise.all((["paid", "other", "free"] as const).map(usageOf)),
      bundles: world.projects.flatMap(({ id }) => world.book.routesOf(id)),
      projects: JSON.stringify(
        world.projects.map(({ ledger: { entries, purchased }, plan, clock: calendar, billingData }) => [
          entries,
          purchased,
          plan,
          calendar,
          billingData,
        ]),
      ),
    }),
    charged: () => world.projects.reduce((total, { ledger }) => total + ledger.entries.length, 0),
  };
}

/** A text with the length of its body in place of `{length}`. */
const measured = (text: string): string =>
  text.replace("{length}", () => String(Buffer.byteLength(text.slice(text.indexOf("\r\n\r\n") + 4))));

/** What came back before the connection closed. */
function overSocket(port: number, bytes: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.end(bytes));
    socket.setEncoding("utf8").setTimeout(10_000, () => socket.destroy(new Error("no answer and no end within 10 s")));
    socket.on("data", (chunk: string) => (text += chunk));
    socket.on("error", (error: NodeJS.ErrnoException) =>
      ["ECONNRESET", "EPIPE"].includes(error.code ?? "") ? undefined : reject(error),
    );
    socket.on("close", () => {
      const [, status = "closed", headers = "", body = ""] =
        /^HTTP\/1\.1 (\d{3})([\s\S]*?)\r\n\r\n([\s\S]*)$/.exec(text) ?? [];
      resolve(answered(status, /\r\ncontent-type: ([^\r]*)/i.exec(headers)?.[1] ?? "", body));
    });
  });
}
