// What a bare `genlayer deploy` runs second: agreements in milestones.

import { deploy } from "./contract.mjs";

export default function verdictEscrow(client) {
  return deploy(client, "verdict_escrow.py");
}
