/** The head of every page: the mark, where one can go, and whose hand signs. Its lower edge is a rule with ticks. */
"use client";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { AccountButton } from "@/components/wallet/AccountButton";
import { Mark } from "@/components/ui/Mark";
import { NetworkChip } from "./NetworkChip";
import { MORE_PLACES, PLACES } from "./places";

export function Header() {
  const path = usePathname();
  return (
    <header className="sticky top-0 z-30 bg-paper/95">
      <div className="measure flex h-16 items-center gap-5">
        <Link href="/" className="flex items-center gap-2.5 text-lead font-[620] tracking-[-0.02em]">
          <Mark />
          Foreman
        </Link>
        <nav aria-label="Main" className="ml-3 hidden gap-0.5 lg:flex">
          {PLACES.map((place) => (
            <Place key={place.href} {...place} here={path.startsWith(place.href)} />
          ))}
        </nav>
        <div className="ml-auto flex items-center gap-2">
          <NetworkChip />
          <AccountButton />
          <Menu path={path} />
        </div>
      </div>
      <div aria-hidden="true" className="ruler h-2 w-full border-t border-rule-2" />
    </header>
  );
}

function Place({ href, label, here }: { href: string; label: string; here: boolean }) {
  return (
    <Link
      href={href}
      aria-current={here ? "page" : undefined}
      className="rounded-box px-2.5 py-1.5 text-base text-ink-2 hover:bg-well hover:text-ink aria-[current=page]:text-ink aria-[current=page]:underline aria-[current=page]:decoration-vial-deep aria-[current=page]:decoration-[3px] aria-[current=page]:underline-offset-[6px]"
    >
      {label}
    </Link>
  );
}

function Menu({ path }: { path: string }) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => setOpen(false), [path]);
  useEffect(() => {
    if (!open) return;
    const close = (event: KeyboardEvent) => event.key === "Escape" && setOpen(false);
    const away = (event: PointerEvent) => !box.current?.contains(event.target as Node) && setOpen(false);
    document.addEventListener("keydown", close);
    document.addEventListener("pointerdown", away);
    return () => {
      document.removeEventListener("keydown", close);
      document.removeEventListener("pointerdown", away);
    };
  }, [open]);
  return (
    <div ref={box} className="lg:hidden">
      <button
        type="button"
        aria-expanded={open}
        aria-controls="menu"
        onClick={() => setOpen(!open)}
        className="grid size-10 place-items-center rounded-box border border-edge bg-sheet"
      >
        <span className="sr-only">Menu</span>
        <svg width="18" height="14" viewBox="0 0 18 14" aria-hidden="true">
          <path d={open ? "M3 1l12 12M15 1L3 13" : "M1 2h16M1 7h16M1 12h16"} stroke="currentColor" strokeWidth="2" />
        </svg>
      </button>
      <nav id="menu" aria-label="Main" hidden={!open} className="absolute inset-x-0 top-16 border-b bg-paper shadow-lift">
        <ul className="measure grid grid-cols-2 gap-x-4 py-4">
          {[...PLACES, ...MORE_PLACES].map((place) => (
            <li key={place.href}>
              <Link href={place.href} aria-current={path.startsWith(place.href) ? "page" : undefined} className="block py-2.5 text-lead aria-[current=page]:underline aria-[current=page]:decoration-vial-deep aria-[current=page]:decoration-[3px] aria-[current=page]:underline-offset-[6px]">
                {place.label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}
