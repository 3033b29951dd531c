// Ways to a k6 where there is none: what to type, by the system and its processor.
import { goWanted, pinnedVersion } from "./ensure.ts";

const releases = "https://github.com/grafana/k6/releases";

/** The names that k6's releases have for processors. */
const processors: { readonly [arch: string]: string | undefined } = { x64: "amd64", arm64: "arm64" };

/** A command, or the address to get k6 from. */
function installing(platform: NodeJS.Platform, arch: string): string {
  if (platform === "darwin") return "brew install k6";
  if (platform === "win32") return "winget install k6 --source winget";
  const processor = processors[arch];
  if (platform !== "linux" || processor === undefined) return `${releases}, to be put on the PATH or named by K6_BIN`;
  const version = `v${pinnedVersion()}`;
  const archive = `${releases}/download/${version}/k6-${version}-linux-${processor}.tar.gz`;
  return `curl -fsSL ${archive} | sudo tar xz --no-same-owner -C /usr/local/bin --strip-components 1`;
}

/** Three of them, a line each. @param image where Assay's own image is, which has a k6 */
export const waysToK6 = (
  image: string,
  platform = process.platform,
  arch: string = process.arch,
): readonly string[] => [
  `  install it     ${installing(platform, arch)}`,
  `  have it built  install Go ${goWanted} from https://go.dev/dl, and repeat this command`,
  `  use the image  docker run --rm -v "$PWD:/work" -e ACME_KEY ${image} load smoke --target acme.yaml`,
];
