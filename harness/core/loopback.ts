// The test for addresses that stay on this machine.
/** 127.0.0.0/8, localhost and ::1. */
export const isLoopback = ({ hostname }: URL): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
