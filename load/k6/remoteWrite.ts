// k6's metrics sent on to a Prometheus, as k6's own variables say
import { CommandLineError } from "../../harness/core/commandLineError.ts";
import { redactorOf, Secret } from "../../harness/core/secret.ts";
import type { Environment } from "../../harness/transport/route.ts";

export type RemoteWrite = ReturnType<typeof remoteWriteIn>;

/** Off where no address is given. @throws CommandLineError for one that isn't http(s) */
export function remoteWriteIn(environment: Environment) {
  const given = Object.entries(environment).filter(([name]) => name.startsWith("K6_PROMETHEUS_RW_"));
  const address = environment["K6_PROMETHEUS_RW_SERVER_URL"] ?? "";
  if (address !== "" && !(/^https?:/.test(address) && URL.canParse(address)))
    throw new CommandLineError(
      "K6_PROMETHEUS_RW_SERVER_URL isn't a valid URL. Write https://<Prometheus>/api/v1/write, or unset the variable.",
    );
  // A password may be a part of an address or of a list of headers.
  const secrets = given.flatMap(([name, value = ""]) =>
    [value, ...value.split(/[\s/?#:,@=&]+/)].map((one) => new Secret(name, one)),
  );
  const on = { K6_OUT: "experimental-prometheus-rw", K6_PROMETHEUS_RW_TREND_AS_NATIVE_HISTOGRAM: "true" };
  const settings: Environment = address === "" ? {} : { ...on, ...Object.fromEntries(given) };
  /** `failures`: why metrics didn't arrive, each time. */
  return { settings, redact: redactorOf(secrets), failures: [] as string[] };
}
