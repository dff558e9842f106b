/** Sends one transaction: rehearsed against the contract, signed by the chosen hand, handed to the network. Loaded when first needed. */
import { chains, createAccount, createClient } from "genlayer-js";
import type { Network } from "@/lib/chain/config";
import { rehearse, type Argument } from "@/lib/chain/contract";
import { ChainError, fromWallet, messageOf } from "@/lib/chain/errors";
import { rpc } from "@/lib/chain/rpc";
import { burnerKey, type Account } from "./account";
import { bringToNetwork, findWallet } from "./injected";

export type Write = { contract: string; method: string; args: Argument[]; value?: bigint };

type Chain = typeof chains.localnet;

function chainOf(network: Network): Chain {
  const base = network.chainId === chains.testnetAsimov.id ? chains.testnetAsimov : chains.localnet;
  const rpcUrls = { default: { http: [new URL(network.rpcUrl, location.href).href] } };
  return { ...(base as Chain), id: network.chainId, name: network.name, rpcUrls };
}

/** Send and return the transaction's hash. Throws ChainError; then nothing was sent. */
export async function send(network: Network, account: Account, write: Write, onSigning: () => void): Promise<string> {
  const { contract, method, args, value = 0n } = write;
  await rehearse({ rpcUrl: network.rpcUrl, address: contract, method, args, from: account.address }, value);
  await checkBalance(network, account.address, value);
  const call = { address: contract as `0x${string}`, functionName: method, args: args as never, value };
  try {
    if (account.kind === "burner") {
      const key = burnerKey(account.address);
      if (!key) throw new ChainError("no_wallet", "This burner's key is not in this browser any more.", "Choose another account.");
      onSigning();
      return await createClient({ chain: chainOf(network), account: createAccount(key) }).writeContract(call);
    }
    const wallet = findWallet(account.rdns);
    await bringToNetwork(wallet, network);
    onSigning();
    const client = createClient({
      chain: chainOf(network),
      account: account.address as `0x${string}`,
      provider: wallet.provider as never,
    });
    return await client.writeContract(call);
  } catch (error) {
    if (error instanceof ChainError) throw error;
    throw fromWallet(error) ?? new ChainError("refused", messageOf(error));
  }
}

async function checkBalance(network: Network, address: string, value: bigint): Promise<void> {
  if (value === 0n) return;
  const balance = BigInt(String(await rpc(network.rpcUrl, "eth_getBalance", [address, "latest"])));
  if (balance < value)
    throw new ChainError("insufficient", "This account holds less GEN than the amount.", "Use a smaller amount or fund the account.");
}
