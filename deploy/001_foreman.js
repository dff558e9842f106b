// What a bare `genlayer deploy` runs first: the work orders.

import { deploy } from "./contract.mjs";

export default function foreman(client) {
  return deploy(client, "foreman.py");
}
