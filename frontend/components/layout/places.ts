/** Where one can go. */
export const PLACES = [
  { href: "/orders/", label: "Orders" },
  { href: "/agreements/", label: "Agreements" },
  { href: "/dashboard/", label: "Dashboard" },
  { href: "/leaderboard/", label: "Leaderboard" },
  { href: "/network/", label: "Network" },
  { href: "/docs/", label: "Docs" },
] as const;

export const MORE_PLACES = [
  { href: "/how-it-works/", label: "How it works" },
  { href: "/lifecycle/", label: "Lifecycle" },
] as const;
