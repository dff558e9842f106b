/** What to do when the app does not know its network. */
import type { Metadata } from "next";
import { PageHead, Section } from "@/components/ui/Page";

export const metadata: Metadata = { title: "Set up" };

export default function SetupPage() {
  return (
    <>
      <PageHead title="Connect this app to a network" lead="The app is a set of static files. It needs to know where a network answers and which contracts to read." />
      <div className="measure">
        <Section label="On this machine" note="the quickest way">
          <p className="mb-3 max-w-read">Run the network of this repository. It serves this app itself, with everything set.</p>
          <Commands lines={["make up"]} />
          <p className="mt-3 max-w-read text-ink-2">Then open the address it prints. There is a faucet, so you need no wallet and no GEN.</p>
        </Section>
        <Section label="While developing" note="npm run dev">
          <Commands lines={["make up", "cd frontend && cp .env.example .env.local", "npm ci && npm run dev"]} />
          <p className="mt-3 max-w-read text-ink-2">What is left empty in <code>.env.local</code> is asked of the node.</p>
        </Section>
        <Section label="Another network" note="Studionet, a testnet, your own">
          <p className="mb-3 max-w-read">Deploy the contracts, put their addresses into <code>.env.local</code>, and build. A value that is set wins over anything a node says.</p>
          <Commands
            lines={[
              "NEXT_PUBLIC_NETWORK=studionet",
              "NEXT_PUBLIC_RPC_URL=https://studio.genlayer.com/api",
              "NEXT_PUBLIC_CONTRACT_ADDRESS=0x…",
              "NEXT_PUBLIC_AGREEMENTS_ADDRESS=0x…",
            ]}
          />
        </Section>
      </div>
    </>
  );
}

function Commands({ lines }: { lines: string[] }) {
  return (
    <pre tabIndex={0} className="overflow-x-auto rounded-box border bg-sheet px-4 py-3">
      <code>{lines.join("\n")}</code>
    </pre>
  );
}
