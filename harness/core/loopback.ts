// The tests for addresses that stay on this machine, and for names by which only this machine is reached.
import { BlockList, isIP } from "node:net";

/** 127.0.0.0/8, localhost and ::1. */
export const isLoopback = ({ hostname }: URL): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);

/** Loopback, and the unspecified addresses, which a connection takes for it; IPv6 may have an IPv4 address within. */
const ownAddresses = new BlockList();
ownAddresses.addSubnet("127.0.0.0", 8);
ownAddresses.addAddress("0.0.0.0");
ownAddresses.addAddress("::1", "ipv6");
ownAddresses.addAddress("::", "ipv6");

/** localhost and names below it (RFC 6761). */
const isLocalName = (hostname: string): boolean => /(^|\.)localhost\.?$/.test(hostname);

const withoutBrackets = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, "$1");

/** Whether each machine reaches only itself by it: those addresses and local names. */
export function meansOwnMachine({ hostname }: URL): boolean {
  const address = withoutBrackets(hostname);
  const version = isIP(address);
  if (version > 0) return ownAddresses.check(address, version === 6 ? "ipv6" : "ipv4");
  return isLocalName(hostname);
}

/** Docker's name for the machine that containers run on. */
const ofContainers = "host.docker.internal";

/**
 * Whether a request with that Host was meant for this machine. A page elsewhere can have a name of its own lead here
 * (DNS rebinding) and would read what it gets; it can't do so under an address, or a name that nobody else can have.
 */
export function isOwnHost(host: string): boolean {
  if (!URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  return isIP(withoutBrackets(hostname)) > 0 || isLocalName(hostname) || hostname === ofContainers;
}
