// The platforms that all tools judge: chosen by a seed, served without control, and what passed recorded
import { createHash } from "node:crypto";
import type { Recorded } from "../../harness/recordings/recorded.ts";
import { featuresAbout, requirementOfMutant } from "../../proof/judgedFeatures.ts";
import { lawfulVariants } from "../../proof/lawful/variants.ts";
import { demo, demoRoles } from "../../reference/demo.ts";
import { mutants } from "../../reference/generated/mutants.ts";
import { listen } from "../../reference/http.ts";
import type { Variant } from "../../reference/platform/mutant.ts";
import { createPlatform, type Platform } from "../../reference/platform.ts";

/** `baseline`: the honest platform, of which findings don't count elsewhere · `right`: honest or lawful. */
export type PlatformKind = "baseline" | "right" | "mutant";

export interface ChosenPlatform {
  readonly name: string;
  readonly kind: PlatformKind;
  /** The first part of its requirement's id; null for one that isn't a mutant. */
  readonly area: string | null;
  /** Whether its requirement is about an operation that the OpenAPI document describes. */
  readonly isDescribed: boolean;
  readonly variant: Variant | null;
}

export interface Choice {
  readonly seed: number;
  readonly mutants: number;
  readonly lawful: number;
}

/** In an order that only the seed decides. */
function shuffled<T extends { readonly id: string }>(all: readonly T[], seed: number): readonly T[] {
  const place = ({ id }: T): string => createHash("sha256").update(`${seed} ${id}`).digest("hex");
  return all.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
}

function grouped<T>(all: readonly T[], groupOf: (item: T) => string): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>();
  for (const item of all) groups.set(groupOf(item), [...(groups.get(groupOf(item)) ?? []), item]);
  return [...groups.values()];
}

/** One of each group in turn until there are enough. */
function takenInTurn<T>(groups: readonly (readonly T[])[], count: number): readonly T[] {
  const longest = Math.max(0, ...groups.map((group) => group.length));
  const rounds = Array.from({ length: longest }, (_, round) =>
    groups.flatMap((group) => group.slice(round, round + 1)),
  );
  return rounds.flat().slice(0, count);
}

const areaOfMutant = (id: string): string => id.slice(0, id.indexOf("-"));

const isDescribed = (id: string): boolean =>
  featuresAbout([requirementOfMutant(id)]).some((feature) => feature === "usage" || feature === "wallet");

const honest = { area: null, isDescribed: true, variant: null };

/** Twice honest as a baseline, since some findings come and go; then honest again, lawful variants and mutants. */
export function chosenPlatforms({ seed, mutants: mutantCount, lawful }: Choice): readonly ChosenPlatform[] {
  // What a proxy before the platform does wrong isn't served on a port.
  const served = shuffled(
    mutants.filter(({ proxy }) => proxy === undefined),
    seed,
  );
  const areas = grouped(served, ({ id }) => areaOfMutant(id));
  const choices = grouped(shuffled(lawfulVariants, seed), ({ choice }) => choice);
  return [
    { ...honest, name: "honest, first", kind: "baseline" },
    { ...honest, name: "honest, second", kind: "baseline" },
    { ...honest, name: "honest", kind: "right" },
    ...takenInTurn(choices, lawful).map(
      (variant): ChosenPlatform => ({ ...honest, name: variant.id, kind: "right", variant }),
    ),
    ...takenInTurn(areas, mutantCount).map((variant): ChosenPlatform => {
      const { id } = variant;
      return { name: id, kind: "mutant", area: areaOfMutant(id), isDescribed: isDescribed(id), variant };
    }),
  ];
}

/** Names the mutant to its runner; no tool may read it. */
const mutantHeader = "x-assay-mutant";

async function exchangeOf(request: Request, answering: Promise<Response>): Promise<[Recorded, Response]> {
  const sentAt_ms = Date.now();
  const body = request.method === "GET" || request.method === "HEAD" ? null : await request.clone().text();
  const response = await answering;
  response.headers.delete(mutantHeader);
  const answer = { status: response.status, headers: [...response.headers], body: await bytesOf(response.clone()) };
  const { method, url } = request;
  const headers = [...request.headers];
  return [{ method, url, headers, body, answer, sentAt_ms, latency_ms: Date.now() - sentAt_ms }, response];
}

const bytesOf = async (response: Response): Promise<Uint8Array> => new Uint8Array(await response.arrayBuffer());

/** A platform that keeps what passes. */
function recording(platform: Platform, exchanges: Recorded[]): Platform {
  return {
    fetch: async (request, connection) => {
      const copy = request.clone();
      const [exchange, response] = await exchangeOf(copy, platform.fetch(request, connection));
      exchanges.push(exchange);
      return response;
    },
  };
}

/** Serves a platform of its own on a free port of loopback, with clocks that run, as `assay serve` does. */
export async function servedPlatform({ variant }: ChosenPlatform) {
  const { world, keys, ids } = demo(Date.now());
  const platform = createPlatform({ world, now_ms: Date.now, ...(variant && { variant }) });
  const exchanges: Recorded[] = [];
  const { base, close } = await listen(recording(platform, exchanges), 0);
  const environment = Object.fromEntries(
    Object.entries(demoRoles).map(([role, name]) => [name, keys[role as keyof typeof keys]]),
  );
  const users = (["paid", "other"] as const).map((role): User => ({ key: keys[role], project: ids[role] }));
  return { base, close, environment, exchanges, users };
}

/** One whom every endpoint serves. */
export interface User {
  readonly key: string;
  readonly project: string;
}

export type ServedPlatform = Awaited<ReturnType<typeof servedPlatform>>;
