/** Which network this app talks to: what was set at build time wins, then what the node says, else nothing. */
import { isAddress } from "@/lib/format/address";
import { SAMPLE_PAGES } from "@/lib/samples";
import { ChainError, unreachable } from "./errors";

export type Network = {
  name: string;
  chainId: number;
  rpcUrl: string;
  foreman: string | null;
  agreements: string | null;
  /** A network on this machine with a faucet, time travel and burner accounts. */
  dev: boolean;
  /** The node's own address, when it is one of this repository's: it has the event stream and knows its seats. */
  node: string | null;
  samples: Sample[];
};

export type Sample = { title: string; url: string; note: string };

type Preset = { chainId: number; rpcUrl: string };

const PRESETS: Record<string, Preset> = {
  local: { chainId: 61127, rpcUrl: "http://127.0.0.1:4000/api" },
  localnet: { chainId: 61127, rpcUrl: "http://127.0.0.1:4000/api" },
  studionet: { chainId: 61999, rpcUrl: "https://studio.genlayer.com/api" },
  asimov: { chainId: 4221, rpcUrl: "https://rpc-asimov.genlayer.com" },
  bradbury: { chainId: 4221, rpcUrl: "https://rpc-bradbury.genlayer.com" },
};

/** Values of the build; literal names, because the build replaces them. */
const SET = {
  rpcUrl: process.env.NEXT_PUBLIC_RPC_URL ?? "",
  network: process.env.NEXT_PUBLIC_NETWORK ?? "",
  foreman: process.env.NEXT_PUBLIC_CONTRACT_ADDRESS ?? "",
  agreements: process.env.NEXT_PUBLIC_AGREEMENTS_ADDRESS ?? "",
};

/** Find the network. null: nothing is set and no node stands behind this page. Throws ChainError when a node should and does not. */
export async function findNetwork(signal?: AbortSignal): Promise<Network | null> {
  const preset = PRESETS[SET.network] ?? null;
  const rpcUrl = SET.rpcUrl || preset?.rpcUrl || "";
  const origin = rpcUrl ? new URL(rpcUrl, location.href).origin : location.origin;
  const told = preset && !isHere(origin) ? null : await ask(origin, rpcUrl !== "", signal);
  if (told === null && rpcUrl === "") return null;
  return {
    name: SET.network || told?.name || "custom",
    chainId: told?.chainId ?? preset?.chainId ?? 61127,
    rpcUrl: rpcUrl || `${origin}/api`,
    foreman: address(SET.foreman) ?? told?.foreman ?? null,
    agreements: address(SET.agreements) ?? told?.agreements ?? null,
    dev: told?.dev ?? false,
    node: told ? origin : null,
    samples: told?.samples ?? [],
  };
}

function isHere(origin: string): boolean {
  const host = new URL(origin).hostname;
  return host === "127.0.0.1" || host === "localhost" || host === "[::1]" || origin === location.origin;
}

function address(text: unknown): string | null {
  return typeof text === "string" && isAddress(text) ? text : null;
}

type Told = Pick<Network, "name" | "chainId" | "foreman" | "agreements" | "dev" | "samples">;

/** The node's /config.json. null when that origin is no node; throws when it was named and does not answer. */
async function ask(origin: string, named: boolean, signal?: AbortSignal): Promise<Told | null> {
  let answer: Response;
  try {
    answer = await fetch(`${origin}/config.json`, { signal: signal ?? AbortSignal.timeout(10_000), cache: "no-store" });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw unreachable();
  }
  if (answer.status === 403)
    throw new ChainError("refused", "The node does not answer to this web page.", "Start it with --allow-origin for this address.", 403);
  const told: unknown = answer.ok ? await answer.json().catch(() => null) : null;
  if (told === null || typeof told !== "object") {
    if (answer.status >= 500 && named) throw unreachable();
    return null;
  }
  return readConfig(told as Record<string, unknown>);
}

export function readConfig(told: Record<string, unknown>): Told {
  const contracts = (told.contracts ?? {}) as Record<string, unknown>;
  const samples = Array.isArray(told.samples) ? (told.samples as Record<string, unknown>[]).map(readSample) : null;
  return {
    name: typeof told.network === "string" ? told.network : "local",
    chainId: Number(told.chain_id ?? told.chainId ?? 61127),
    foreman: address(contracts.foreman),
    agreements: address(contracts.verdict_escrow),
    dev: told.dev === true,
    samples: samples ?? (told.dev === true ? SAMPLE_PAGES : []),
  };
}

function readSample(row: Record<string, unknown>): Sample {
  return { title: String(row.title ?? ""), url: String(row.url ?? ""), note: String(row.note ?? "") };
}
