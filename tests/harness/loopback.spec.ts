// Tests of addresses by which each machine reaches only itself
import { expect, test } from "@playwright/test";
import { isOwnHost, meansOwnMachine } from "../../harness/core/loopback.ts";

const own = [
  ...["localhost", "LOCALHOST", "localhost.", "acme.localhost", "127.0.0.1", "127.9.8.7", "127.1", "0x7f000001", "0"],
  ...["0.0.0.0", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f01:203]", "[::ffff:0.0.0.0]"],
];
const others = [
  ...["acme", "acme.default.svc", "notlocalhost", "localhost.acme.example", "126.255.255.255", "128.0.0.1", "10.0.0.1"],
  ...["0.0.0.1", "169.254.169.254", "[::2]", "[fe80::1]", "[::ffff:10.0.0.1]", "host.docker.internal"],
];

for (const [hosts, means] of [
  [own, true],
  [others, false],
] as const)
  for (const host of hosts)
    test(`${host} ${means ? "means" : "doesn't mean"} the own machine`, () => {
      expect(meansOwnMachine(new URL(`http://${host}:8080/v1`))).toBe(means);
    });

for (const host of [
  "127.0.0.1:1",
  "[::1]:80",
  "10.1.2.3",
  "LOCALHOST",
  "acme.localhost:9400",
  "host.docker.internal:1",
])
  test(`a request for ${host} was meant for this machine`, () => expect(isOwnHost(host)).toBe(true));
for (const host of ["evil.example", "127.0.0.1.evil.example:80", "localhost.evil.example", "notlocalhost", "", "a b"])
  test(`a request for "${host}" may come of a page elsewhere`, () => expect(isOwnHost(host)).toBe(false));
