// Detectors: every check, law and property under a name, and suites that lack one of them
import { dataPlatform } from "../../contracts/shared/interface.ts";
import type { RequirementId } from "../../harness/core/interface.ts";
import { type Check, citedBy } from "../../harness/model/check.ts";
import type { Law } from "../../harness/model/law.ts";
import { titleOf } from "../../harness/transport/rendering.ts";
import { suite } from "../../load/suite.ts";
import { properties } from "../../property/generated/properties.ts";

export type Kind = "check" | "law" | "property";

export interface Detector {
  readonly kind: Kind;
  readonly name: string;
  /** The requirement that it is about first. */
  readonly about: string;
}

/** Names that occur again are numbered, in the order of the suite. */
function numbered(names: readonly string[]): readonly string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const nth = (seen.get(name) ?? 0) + 1;
    seen.set(name, nth);
    return nth === 1 ? name : `${name}, ${nth}`;
  });
}

/** Of checks that cite no requirement, as only laws judge what is answered. */
export const ofLaws = "laws";

const aboutCheck = (check: Check): string => citedBy(check)[0] ?? ofLaws;

function describeCheck(check: Check): string {
  const [request] = check.needs.requests;
  return `${aboutCheck(check)} by ${request ? titleOf(request, dataPlatform) : `steps on ${check.feature}`}`;
}

const describeScope = ({ operation: scope }: Law): string =>
  typeof scope === "string" ? scope : `${scope.errorTable} errors`;

/** One requirement of one law, which can be taken out by itself. */
interface Judgement {
  readonly law: Law;
  readonly id: RequirementId;
}

const judgements: readonly Judgement[] = suite.laws.flatMap((law) => law.ids.map((id) => ({ law, id })));
const judgementNames = numbered(judgements.map(({ law, id }) => `${id} in ${describeScope(law)}`));
const checkNames = numbered(suite.checks.map(describeCheck));

export const nameOfCheck: ReadonlyMap<Check, string> = new Map(
  suite.checks.map((check, nth) => [check, checkNames[nth] ?? ""]),
);

const namesOfLaws = new Map(suite.laws.map((law) => [law, new Map<RequirementId, string>()]));
for (const [nth, { law, id }] of judgements.entries()) namesOfLaws.get(law)?.set(id, judgementNames[nth] ?? "");

/** The name of what a law says of one of its requirements. */
export const nameInLaw = (law: Law, id: RequirementId): string => namesOfLaws.get(law)?.get(id) ?? "";

/** What a check cites. */
export const requirementsOf = (name: string): readonly string[] =>
  suite.checks.filter((check) => nameOfCheck.get(check) === name).flatMap(citedBy);

/** Checks that no target can run are about Assay itself, or say that a probe observes what they cite. */
const isRunnable = ({ needs }: Check): boolean =>
  needs.requests.length > 0 || needs.control !== undefined || needs.schedules !== undefined || !needs.unless;

export const detectors: readonly Detector[] = [
  ...suite.checks.filter(isRunnable).map((check): Detector => {
    return { kind: "check", name: nameOfCheck.get(check) ?? "", about: aboutCheck(check) };
  }),
  ...judgements.map(({ id }, nth): Detector => ({ kind: "law", name: judgementNames[nth] ?? "", about: id })),
  ...properties.map((check): Detector => {
    return { kind: "property", name: check.needs.generates?.property ?? "", about: aboutCheck(check) };
  }),
];

const without = (law: Law, id: RequirementId): Law => ({
  ...law,
  ids: law.ids.filter((one) => one !== id),
  judge: (exchange) => new Map([...law.judge(exchange)].filter(([one]) => one !== id)),
});

/** The suite without one check, or without what one law says of a requirement. */
export function suiteWithout(name: string): typeof suite {
  const judgement = judgements[judgementNames.indexOf(name)];
  return {
    ...suite,
    checks: suite.checks.filter((check) => nameOfCheck.get(check) !== name),
    laws: suite.laws.map((law) => (law === judgement?.law ? without(law, judgement.id) : law)),
  };
}
