/** What every page stands on: the query cache, this browser's accounts, and the network's news. */
"use client";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useState, type ReactNode } from "react";
import { ChainError } from "@/lib/chain/errors";
import { useNews } from "@/lib/hooks/transactions";
import { restoreFollowed } from "@/lib/transactions";
import { restoreAccounts } from "@/lib/wallet/account";
import { discoverWallets } from "@/lib/wallet/injected";

function makeClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: "always", // the node may be on this very machine: being offline says nothing
        retry: (failures, error) => failures < 2 && !(error instanceof ChainError),
        refetchOnWindowFocus: false,
      },
    },
  });
}

export function Providers({ children }: { children: ReactNode }) {
  const [client] = useState(makeClient);
  return (
    <QueryClientProvider client={client}>
      <Session />
      {children}
    </QueryClientProvider>
  );
}

function Session() {
  useNews();
  useEffect(() => {
    restoreAccounts();
    restoreFollowed();
    return discoverWallets();
  }, []);
  return null;
}
