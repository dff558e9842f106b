/** One provider: `?address=0x…`. */
import type { Metadata } from "next";
import { Suspense } from "react";
import { Profile } from "@/components/provider/Profile";
import { Loading } from "@/components/ui/States";

export const metadata: Metadata = { title: "Profile" };

export default function ProviderPage() {
  return (
    <Suspense fallback={<div className="measure py-12"><Loading /></div>}>
      <Profile />
    </Suspense>
  );
}
