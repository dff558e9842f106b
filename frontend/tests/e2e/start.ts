/** Starts the network that the browser tests share, and stops it at the end. */
import { startNetwork } from "./network";

export default async function start(): Promise<() => Promise<void>> {
  const network = await startNetwork();
  process.env.FOREMAN_URL = network.url;
  return network.stop;
}
